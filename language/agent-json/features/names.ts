import { callIdAt, findCallId } from '../../call-ids.ts';
import { meetsSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { isSameName, type Name, type NameOccurrence } from '../../names.ts';
import { readDefinition, type Definition } from '../../variables.ts';
import { readJsonString } from '../../json/json-tree.ts';
import type { AgentJsonDocument } from '../parse.ts';
import { itemAt, listItems, memberAt, type AgentJsonItem } from '../requests.ts';

/** The variables and named requests that comment lines define. */
export function definitions({ lines }: AgentJsonDocument): readonly Definition[] {
  return lines.flatMap(({ text, start }) => readDefinition(text, start) ?? []);
}

/** The name at an offset: the tool of a call, or the name of a call of a trace. */
export function nameAt(doc: AgentJsonDocument, offset: number): NameOccurrence | undefined {
  const item = itemAt(doc, offset);
  const tool = item && toolOf(doc, item);
  return tool && touchesOffset(tool.span, offset) ? tool : callIdAt(doc.text, offset);
}

/** The occurrences of a name in a span. */
export function* findName(doc: AgentJsonDocument, name: Name, within: Span): Generator<NameOccurrence> {
  if (name.kind === 'call') yield* findCallId(doc.text, name.name, within);
  if (name.kind !== 'tool') return;
  for (const item of listItems(doc)) {
    const tool = toolOf(doc, item);
    if (tool && isSameName(tool, name) && meetsSpan(tool.span, within)) yield tool;
  }
}

function toolOf(
  doc: AgentJsonDocument,
  { value, protocol, method }: AgentJsonItem,
): NameOccurrence | undefined {
  const tool = protocol?.requests?.tool;
  const found = tool && tool.method === method ? memberAt(doc, value, tool.name)?.value : undefined;
  if (found?.kind !== 'string' || !found.isClosed || found.end - found.start < 3) return undefined;
  const span = { start: found.start + 1, end: found.end - 1 };
  return { kind: 'tool', name: readJsonString(doc.json, found), scope: '', span, role: 'uses' };
}

/** A new name as it is written in a JSON string. */
export function writeName(_doc: AgentJsonDocument, { kind }: NameOccurrence, newName: string): string {
  return kind === 'tool' ? JSON.stringify(newName).slice(1, -1) : newName;
}

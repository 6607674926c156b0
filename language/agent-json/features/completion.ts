import { escapeSnippet, snippetStop } from '../../../core/text/markup.ts';
import { touchesOffset, shiftSpan, type Span } from '../../../core/text/span.ts';
import { completeDirective } from '../../directive-help.ts';
import { readDirective } from '../../directives.ts';
import type { SchemaProposal, SnippetPart } from '../../json/argument-schema.ts';
import { findJsonCursor, type JsonCursor } from '../../json/json-cursor.ts';
import type { JsonMember } from '../../json/json-tree.ts';
import type { Completion, CompletionContext } from '../../support.ts';
import { LONGEST_DETAIL } from '../../tools.ts';
import type { AgentJsonDocument } from '../parse.ts';
import { listParts, toolsOf } from '../parts.ts';
import { itemAt, memberAt, type AgentJsonItem } from '../requests.ts';

/** Longer requests get no completions. */
const LONGEST_READ = 1 << 16;

/** Completions in a comment line, of methods and tools, and of what the schemas of a request have at an offset. */
export function complete(
  doc: AgentJsonDocument,
  offset: number,
  context: CompletionContext = {},
): readonly Completion[] {
  const line = doc.lines.find(span => touchesOffset(span, offset));
  if (line) return completeDirective(line, offset, context, name => namesInUse(doc, name));
  if (doc.comments.some(({ start, end }) => start < offset && offset < end)) return [];
  const item = itemAt(doc, offset);
  if (!item) return completeRequest(doc, offset);
  if (item.value.end - item.value.start > LONGEST_READ) return [];
  return completeNamed(doc, item, offset) ?? completeMember(doc, item, offset);
}

/** The values of a directive in the file, such as the agents in `// @agent coder`. */
function namesInUse({ lines }: AgentJsonDocument, name: string): readonly string[] {
  return lines.flatMap(({ text }) => {
    const directive = readDirective(text);
    return directive?.name === name && directive.value !== '' ? [directive.value] : [];
  });
}

/** Whole requests, outside of all values of a file whose name says the protocol. */
function completeRequest({ settings, schemas }: AgentJsonDocument, offset: number): readonly Completion[] {
  const methods = settings.protocol === undefined ? undefined : schemas.get(settings.protocol)?.methods;
  return [...(methods ?? [])].map(([method, { summary, params }], rank) => {
    const rest = params ? `, "params": {$1}}` : `}`;
    return {
      label: method,
      kind: 'message',
      detail: summary.slice(0, LONGEST_DETAIL),
      span: { start: offset, end: offset },
      newText: `{"method": ${escapeSnippet(JSON.stringify(method))}${params ? rest.replace('{$1}}', '{$1\\}\\}') : '\\}'}`,
      isSnippet: true,
      rank,
    };
  });
}

/** The names of methods and tools; undefined elsewhere. */
function completeNamed(
  doc: AgentJsonDocument,
  item: AgentJsonItem,
  offset: number,
): readonly Completion[] | undefined {
  const { protocol, value, method } = item;
  if (!protocol) return undefined;
  const methodAt = memberAt(doc, value, ['method']);
  if (methodAt && isInValue(methodAt, offset)) {
    const methods = doc.schemas.get(protocol.name)?.methods ?? [];
    return names(
      doc,
      item,
      offset,
      [...methods].map(([name, { summary }]) => [name, summary]),
      'command',
    );
  }
  const facts = protocol.requests?.tool;
  const toolAt = facts && facts.method === method ? memberAt(doc, value, facts.name) : undefined;
  if (!toolAt || !isInValue(toolAt, offset)) return undefined;
  const { tools } = toolsOf(doc, item);
  return names(
    doc,
    item,
    offset,
    [...tools].map(([name, tool]) => [name, tool?.description ?? '']),
    'tool',
  );
}

/** True behind the colon of a member, up to the end of its value. */
function isInValue({ key, value, end }: JsonMember, offset: number): boolean {
  return key !== undefined && offset > key.end && offset <= Math.max(end, value?.end ?? end);
}

function names(
  doc: AgentJsonDocument,
  { value }: AgentJsonItem,
  offset: number,
  found: readonly (readonly [name: string, detail: string])[],
  kind: Completion['kind'],
): readonly Completion[] {
  const cursor = findJsonCursor(doc.plain.slice(value.start, value.end), offset - value.start);
  if (cursor.expects !== 'value') return [];
  const span = shiftSpan(cursor.span, value.start);
  return found.map(([name, detail], rank) => ({
    label: name,
    kind,
    detail: detail.slice(0, LONGEST_DETAIL),
    span,
    newText: JSON.stringify(name),
    isSnippet: false,
    rank,
  }));
}

function completeMember(doc: AgentJsonDocument, item: AgentJsonItem, offset: number): readonly Completion[] {
  const part = listParts(doc, item).findLast(({ start, end }) => start < offset && offset <= end);
  if (!part) return [];
  const text = doc.plain.slice(part.start, part.end);
  const cursor = findJsonCursor(text, offset - part.start);
  if (cursor.expects === 'nothing') return [];
  const { names: keys, values } = part.schema.complete(text, offset - part.start);
  const span = shiftSpan(cursor.span, part.start);
  return (cursor.expects === 'key' ? keys : values).map((proposal, rank) =>
    toCompletion(proposal, cursor, span, rank),
  );
}

function toCompletion(proposal: SchemaProposal, cursor: JsonCursor, span: Span, rank: number): Completion {
  const { label, detail, value } = proposal;
  const isKey = cursor.expects === 'key';
  const isEnd = cursor.next === ',' || cursor.next === '}' || cursor.next === ']' || cursor.next === 'end';
  const comma = isEnd ? '' : ',';
  const parts: readonly SnippetPart[] = isKey
    ? [JSON.stringify(label), ...(cursor.next === ':' ? [] : [': ', ...value, comma])]
    : [...value, comma];
  const isSnippet = parts.some(part => typeof part !== 'string');
  const write = (part: SnippetPart): string =>
    typeof part === 'string' ? (isSnippet ? escapeSnippet(part) : part) : snippetStop(1, part.stop);
  return {
    label,
    kind: isKey ? 'field' : 'value',
    detail,
    span,
    newText: parts.map(write).join(''),
    isSnippet,
    rank,
  };
}

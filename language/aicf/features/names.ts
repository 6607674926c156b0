import { callIdAt, findCallId } from '../../call-ids.ts';
import { isSameName, type Name, type NameOccurrence } from '../../names.ts';
import { findAll } from '../../search.ts';
import { meetsSpan, shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { findFieldRow } from '../../../core/catalog/aicf.ts';
import { fieldText, findFieldSpan } from '../ast.ts';
import { encodeField } from '../codec.ts';
import { findPlace } from '../cursor.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';

/**
 * The name at an offset: a tool in its field, or the name of an AIO trace call in any text. Context files
 * have no tools.
 */
export function nameAt(doc: AicfDocument, offset: number): NameOccurrence | undefined {
  return (doc.dialect === 'rpc' ? toolAt(doc, offset) : undefined) ?? callIdAt(doc.text, offset);
}

function toolAt(doc: AicfDocument, offset: number): NameOccurrence | undefined {
  const place = findPlace(doc, offset);
  const found = place.kind === 'field' ? readTool(place.line, place.index) : undefined;
  return found && touchesOffset(found.span, offset) ? found : undefined;
}

/** The occurrences of a name in a span. Reads only lines that contain its text. */
export function* findName(doc: AicfDocument, name: Name, within: Span): Generator<NameOccurrence> {
  if (name.kind === 'call') yield* findCallId(doc.text, name.name, within);
  if (name.kind !== 'tool' || doc.dialect !== 'rpc') return;
  for (const line of linesWith(doc, name.name, within)) {
    for (let index = 0; index < line.tree.pipes.length; index++) {
      const found = readTool(line, index);
      // Only `TOOLS` lines have tool names after their first field.
      if (!found && line.tree.command !== 'TOOLS') break;
      if (found && isSameName(found, name) && meetsSpan(found.span, within)) yield found;
    }
  }
}

/** The tool named by a field (AICF-RPC 1.0, "Commands"); undefined for other fields and empty ones. */
function readTool({ text, tree, start }: PlacedLine, index: number): NameOccurrence | undefined {
  const row = tree.command === undefined ? undefined : findFieldRow(tree.command, index);
  if (row?.role !== 'tool' && row?.role !== 'name') return undefined;
  const span = findFieldSpan(tree, index);
  const name = fieldText(text, tree, index);
  if (!span || name === '') return undefined;
  const role = tree.command === 'TOOL' ? 'declares' : tree.command === 'TOOLS' ? 'lists' : 'uses';
  return { kind: 'tool', name, scope: '', span: shiftSpan(span, start), role };
}

/** The distinct lines that may contain a name, found by the part of the name before the first escaped character. */
function* linesWith(doc: AicfDocument, name: string, within: Span): Generator<PlacedLine> {
  const plain = /^[^\\|\t\r\n]*/.exec(name)?.[0] ?? '';
  const needle = plain === '' ? '|' : plain;
  let next = 0;
  for (const at of findAll(doc.text, needle, within)) {
    if (at < next) continue;
    const number = doc.text.lineAt(at);
    next = doc.text.lineStart(number + 1);
    yield readLineAt(doc, number);
  }
}

/** Returns a new name in the notation of the occurrence that it replaces. */
export function writeName(_doc: AicfDocument, { kind }: NameOccurrence, newName: string): string {
  return kind === 'tool' ? encodeField(newName) : newName;
}

import { callIdAt, findCallId } from '../../call-ids.ts';
import { isSameName, type Name, type NameOccurrence } from '../../names.ts';
import { findAll } from '../../../core/text/search.ts';
import { meetsSpan, shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { findFieldRow } from '../../../core/catalog/aicf.ts';
import { fieldText, findFieldSpan } from '../ast.ts';
import { encodeField } from '../codec.ts';
import { findPlace } from '../cursor.ts';
import { readLineAt, type PlacedLine } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/** The name at an offset: a tool in its field, or a call of an AIO trace anywhere. A context file names no tools. */
export function nameAt(doc: AicfDocument, offset: number): NameOccurrence | undefined {
  return (doc.dialect === 'rpc' ? toolAt(doc, offset) : undefined) ?? callIdAt(doc.text, offset);
}

function toolAt(doc: AicfDocument, offset: number): NameOccurrence | undefined {
  const place = findPlace(doc, offset);
  const found = place.kind === 'field' ? readTool(place.line, place.index) : undefined;
  return found && touchesOffset(found.span, offset) ? found : undefined;
}

/** The places in a span where a name stands. Only lines are read that hold its text. */
export function* findName(doc: AicfDocument, name: Name, within: Span): Generator<NameOccurrence> {
  if (name.kind === 'call') yield* findCallId(doc.text, name.name, within);
  if (name.kind !== 'tool' || doc.dialect !== 'rpc') return;
  for (const line of linesWith(doc, name.name, within)) {
    for (let index = 0; index < line.tree.pipes.length; index++) {
      const found = readTool(line, index);
      // Fields that name tools come first, one or all of them.
      if (!found && line.tree.command !== 'TOOLS') break;
      if (found && isSameName(found, name) && meetsSpan(found.span, within)) yield found;
    }
  }
}

/** The tool that a field names (AICF-RPC 1.0, "Commands"); undefined for other fields and for empty ones. */
function readTool({ text, tree, start }: PlacedLine, index: number): NameOccurrence | undefined {
  const row = tree.command === undefined ? undefined : findFieldRow(tree.command, index);
  if (row?.role !== 'tool' && row?.role !== 'name') return undefined;
  const span = findFieldSpan(tree, index);
  const name = fieldText(text, tree, index);
  if (!span || name === '') return undefined;
  const role = tree.command === 'TOOL' ? 'declares' : tree.command === 'TOOLS' ? 'lists' : 'uses';
  return { kind: 'tool', name, scope: '', span: shiftSpan(span, start), role };
}

/** The lines that may hold a name in one of their fields, each once: what comes before an escape stands as it is. */
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

/** A new name as it is written in the place of an old one. */
export function writeName(_doc: AicfDocument, { kind }: NameOccurrence, newName: string): string {
  return kind === 'tool' ? encodeField(newName) : newName;
}

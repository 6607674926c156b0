import { growing, wordAt } from '../../selection.ts';
import { shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { isRequestLine } from '../ast.ts';
import { listContextSections } from '../sections.ts';
import { findPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { readLineAt } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';
import { selectInJson } from './json-selection.ts';

/** A request's replies are looked for in this many lines around the cursor: a longer stream is passed over. */
const MOST_LINES = 10_000;

/**
 * What a selection grows through: the word, values of JSON, the field or command, the line without the blanks before it, the line, the request
 * with its replies or the section of a context file, the file.
 */
export function selectionPath(doc: AicfDocument, offset: number): readonly Span[] {
  const place = findPlace(doc, offset);
  const { line } = place;
  const { tree, start, text } = line;
  const word = wordAt(text, place.offset);
  const isInRpc = doc.dialect === 'rpc';
  const inLine = [
    ...(word ? [word] : []),
    ...(isInRpc ? selectInJson(place, toolsAt(doc, line.number)) : []),
    ...(isInRpc && place.kind !== 'container' ? [place.span] : []),
    { start: tree.word.start, end: tree.end },
    { start: 0, end: tree.end },
  ];
  const spans = [
    ...inLine.map(span => shiftSpan(span, start)),
    ...(isInRpc ? findRequest(doc, line.number) : findSection(doc, offset)),
    { start: 0, end: doc.text.length },
  ];
  return growing(spans.filter(span => touchesOffset(span, offset)));
}

/** From the request line at or above a line to its last reply. */
function findRequest(doc: AicfDocument, number: number): readonly Span[] {
  let first = number;
  while (first >= 0 && number - first < MOST_LINES && !isRequestLine(readLineAt(doc, first).tree)) first--;
  if (first < 0 || number - first === MOST_LINES) return [];
  const request = readLineAt(doc, first);
  let end = request.start + request.tree.end;
  for (let next = first + 1; next < doc.text.lineCount; next++) {
    if (next - first > MOST_LINES) return [];
    const { tree, start } = readLineAt(doc, next);
    if (isRequestLine(tree)) break;
    if (tree.kind === 'command' || tree.kind === 'foreign') end = start + tree.end;
  }
  return [{ start: request.start + request.tree.word.start, end }];
}

function findSection(doc: AicfDocument, offset: number): readonly Span[] {
  const section = listContextSections(doc).find(({ span }) => span.start <= offset && offset <= span.end);
  return section ? [section.span] : [];
}

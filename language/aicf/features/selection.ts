import { growing, wordAt } from '../../selection.ts';
import { shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import { isRequestLine } from '../ast.ts';
import { listContextSections } from '../sections.ts';
import { findPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { readLineAt, type AicfDocument } from '../parse.ts';
import { selectInJson } from './json-selection.ts';

/** Maximum number of lines searched for a request and its replies; longer streams are not selected as one. */
const MAX_LINES = 10_000;

/**
 * The spans of an expanding selection: word, JSON values, field or command, line without leading blanks,
 * line, request with its replies or section of a context file, file.
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

/** The span from the request line at or above a line to its last reply. */
function findRequest(doc: AicfDocument, number: number): readonly Span[] {
  let first = number;
  while (first >= 0 && number - first < MAX_LINES && !isRequestLine(readLineAt(doc, first).tree)) first--;
  if (first < 0 || number - first === MAX_LINES) return [];
  const request = readLineAt(doc, first);
  let end = request.start + request.tree.end;
  for (let next = first + 1; next < doc.text.lineCount; next++) {
    if (next - first > MAX_LINES) return [];
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

import type { TextEdit } from '../../core/text/edit.ts';
import { commonLineEnd } from '../line-end.ts';
import type { Span } from '../../core/text/span.ts';
import { isContainerLine } from './ast.ts';
import { skipBlanks } from './characters.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from './parse.ts';

/** Maximum number of consecutive blank lines. */
const MAX_BLANK_LINES = 2;

/**
 * Edits that format the lines that a range touches: they remove blanks next to commands and at the end of container
 * lines, reduce blank lines to two in a row and none at the end, and end the last line with a line end. White space in
 * fields is data and does not change. Foreign text stays unchanged, including blank lines within it. A context file is
 * not formatted.
 */
export function formatAicf(doc: AicfDocument, range: Span): readonly TextEdit[] {
  if (doc.dialect === 'context') return [];
  const { text } = doc;
  const first = text.lineAt(range.start);
  const end = text.lineAt(range.end);
  // A range that ends at the start of a line does not include that line.
  const last = range.end > range.start && end > first && text.lineStart(end) === range.end ? end - 1 : end;
  const isWhole = range.end === text.length;
  const edits: TextEdit[] = [];
  let previous: PlacedLine | undefined;
  let run: BlankRun = { count: 0, edits: [], extra: undefined };
  for (let number = first; number <= (isWhole ? end : last); number++) {
    const line = readLineAt(doc, number);
    if (line.tree.kind === 'blank' && !line.tree.prefix) {
      addBlankLine(run, line);
      continue;
    }
    const isInForeignText = previous?.tree.kind === 'foreign' && line.tree.kind === 'foreign';
    // Blank lines at the edge of the range may be inside foreign text.
    const isAtEdge = !previous && first > 0;
    if (!isInForeignText && !isAtEdge) edits.push(...closeBlankRun(run, doc.text.lineStart(line.number)));
    run = { count: 0, edits: [], extra: undefined };
    edits.push(...formatLine(line));
    previous = line;
  }
  return isWhole && (previous || first === 0) ? [...edits, ...formatEnd(doc, previous)] : edits;
}

/**
 * Consecutive blank lines, possibly millions: the edits for the first ones, and the offset where the removed
 * ones start.
 */
interface BlankRun {
  count: number;
  readonly edits: TextEdit[];
  extra: number | undefined;
}

function addBlankLine(run: BlankRun, { start, tree }: PlacedLine): void {
  run.count++;
  if (run.count <= MAX_BLANK_LINES) run.edits.push(...removal(start, start + tree.end));
  else run.extra ??= start;
}

/** Empties the first blank lines of a run and removes the rest up to the next line. */
function closeBlankRun({ edits, extra }: BlankRun, nextLine: number): readonly TextEdit[] {
  return extra === undefined ? edits : [...edits, ...removal(extra, nextLine)];
}

/** Removes the blanks beside a command, and at the end of a container line. */
export function formatLine(line: PlacedLine): readonly TextEdit[] {
  const { tree, text, start } = line;
  if (isContainerLine(tree)) {
    return tree.prefix ? [] : removal(start + tree.word.end, start + tree.end);
  }
  if (tree.kind !== 'command') return [];
  const indent = tree.prefix ? [] : removal(start, start + tree.word.start);
  const afterWord = skipBlanks(text, tree.word.end);
  // Text after `END` is a fault for the author to fix; the blanks before it belong to it.
  const isGap = afterWord === tree.end || afterWord === tree.pipes[0];
  return [...indent, ...(isGap ? removal(start + tree.word.end, start + afterWord) : [])];
}

/** Leaves exactly one line end after the last non-blank line; an empty file stays empty. */
function formatEnd(doc: AicfDocument, last: PlacedLine | undefined): readonly TextEdit[] {
  const { text } = doc;
  if (!last) return removal(text.charCodeAt(0) === 0xfeff ? 1 : 0, text.length);
  const from = last.start + last.tree.end;
  const lineEnd = commonLineEnd(text);
  const rest = text.slice(from);
  return rest === lineEnd ? [] : [{ span: { start: from, end: text.length }, newText: lineEnd }];
}

function removal(start: number, end: number): TextEdit[] {
  return end > start ? [{ span: { start, end }, newText: '' }] : [];
}

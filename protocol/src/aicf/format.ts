import type { TextEdit } from '../text/edit.ts';
import { isContainerLine } from './ast.ts';
import { skipBlanks } from './characters.ts';
import { listLines, type PlacedLine } from './lines.ts';
import type { AicfDocument } from './parse.ts';

/** So many blank lines in a row are kept. */
const MOST_BLANK_LINES = 2;

/**
 * Edits that format a file: no blanks beside commands and at the end of container lines, at most two blank lines in a
 * row, none at the end, and a line end after the last line. White space in fields is data and stays, as does all that
 * could not be read, blank lines between lines of foreign text with it. A context file stays as it is.
 */
export function formatAicf(doc: AicfDocument): readonly TextEdit[] {
  if (doc.dialect === 'context') return [];
  const edits: TextEdit[] = [];
  let previous: PlacedLine | undefined;
  let run: BlankRun = { count: 0, edits: [], extra: undefined };
  for (const line of listLines(doc)) {
    if (line.tree.kind === 'blank' && !line.tree.prefix) {
      addBlankLine(run, line);
      continue;
    }
    const isInForeignText = previous?.tree.kind === 'foreign' && line.tree.kind === 'foreign';
    if (!isInForeignText) edits.push(...closeBlankRun(run, doc.lines.lineStart(line.number)));
    run = { count: 0, edits: [], extra: undefined };
    edits.push(...formatLine(line));
    previous = line;
  }
  return [...edits, ...formatEnd(doc, previous)];
}

/** Blank lines in a row, of which there may be millions: what becomes of the first ones, and where the others start. */
interface BlankRun {
  count: number;
  readonly edits: TextEdit[];
  extra: number | undefined;
}

function addBlankLine(run: BlankRun, { start, tree }: PlacedLine): void {
  run.count++;
  if (run.count <= MOST_BLANK_LINES) run.edits.push(...removal(start, start + tree.end));
  else run.extra ??= start;
}

/** Empties the first blank lines of a run and removes the others up to the line that follows. */
function closeBlankRun({ edits, extra }: BlankRun, nextLine: number): readonly TextEdit[] {
  return extra === undefined ? edits : [...edits, ...removal(extra, nextLine)];
}

function formatLine(line: PlacedLine): readonly TextEdit[] {
  const { tree, text, start } = line;
  if (isContainerLine(tree)) {
    return tree.prefix ? [] : removal(start + tree.word.end, start + tree.end);
  }
  if (tree.kind !== 'command') return [];
  const indent = tree.prefix ? [] : removal(start, start + tree.word.start);
  const afterWord = skipBlanks(text, tree.word.end);
  // Text after `END` is a fault that a person looks at; blanks before it are part of it.
  const isGap = afterWord === tree.end || afterWord === tree.pipes[0];
  return [...indent, ...(isGap ? removal(start + tree.word.end, start + afterWord) : [])];
}

/** Exactly one line end after the last line that is not blank; an empty file stays empty. */
function formatEnd(doc: AicfDocument, last: PlacedLine | undefined): readonly TextEdit[] {
  const { text } = doc;
  if (!last) return removal(text.charCodeAt(0) === 0xfeff ? 1 : 0, text.length);
  const from = last.start + last.tree.end;
  const lineEnd = firstLineEnd(text.slice(0, text.lineStart(1)));
  const rest = text.slice(from);
  return rest === lineEnd ? [] : [{ span: { start: from, end: text.length }, newText: lineEnd }];
}

/** The line end that the file uses first; LF where it has none. */
function firstLineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function removal(start: number, end: number): TextEdit[] {
  return end > start ? [{ span: { start, end }, newText: '' }] : [];
}

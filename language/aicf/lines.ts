import type { AicfLine } from './ast.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { lineSource, type TextLines } from './line-source.ts';
import { readLine } from './parse.ts';

/** A text whose lines can be read, and where that work is counted, if anywhere. */
export interface ReadableLines extends TextLines {
  readonly work?: WorkCounter | undefined;
}

/** One line of a document: its tree, its text without the line end, and where it stands in the document. */
export interface PlacedLine {
  /** Counted from 0. */
  readonly number: number;
  /** The offset in the document from which the tree's offsets count; on the first line it stands after a BOM. */
  readonly start: number;
  readonly text: string;
  readonly tree: AicfLine;
}

/** A line of so many characters is stored once it is read: its tree may hold millions of delimiters. */
const LONG = 1 << 16;

/** The last long line that was read of each document. */
const LONG_LINES = new WeakMap<ReadableLines, PlacedLine>();

/** Reads one line of a document, counted from 0. */
export function readLineAt(doc: ReadableLines, number: number): PlacedLine {
  const known = LONG_LINES.get(doc);
  if (known?.number === number) return known;
  const { start, text } = lineSource(doc, number);
  const line = { number, start, text, tree: readLine(text, doc.work) };
  if (text.length >= LONG) LONG_LINES.set(doc, line);
  return line;
}

/** Reads all lines of a document, one after the other; nothing of a line is kept when the next is asked for. */
export function* listLines(doc: ReadableLines): Generator<PlacedLine, void> {
  for (let number = 0; number < doc.text.lineCount; number++) yield readLineAt(doc, number);
}

import type { AicfLine } from './ast.ts';
import type { WorkCounter } from '../work.ts';
import { lineSource, type TextLines } from './line-source.ts';
import { readLine } from './parse.ts';

/** A text whose lines can be read, with an optional counter of that work. */
export interface ReadableLines extends TextLines {
  readonly work?: WorkCounter | undefined;
}

/** One line of a document: its tree, its text without the line end, and its position in the document. */
export interface PlacedLine {
  /** Counted from 0. */
  readonly number: number;
  /** The document offset to which the tree's offsets are relative; on the first line after a BOM. */
  readonly start: number;
  readonly text: string;
  readonly tree: AicfLine;
}

/** Lines of this length or more are cached when read, because their tree may contain millions of delimiters. */
const LONG = 1 << 16;

/** The last long line that was read, per document. */
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

/** Reads all lines of a document lazily, without retaining the lines already returned. */
export function* listLines(doc: ReadableLines): Generator<PlacedLine, void> {
  for (let number = 0; number < doc.text.lineCount; number++) yield readLineAt(doc, number);
}

import type { Characters } from '../text/source-text.ts';
import type { LineIndex } from '../text/line-index.ts';

const LF = 10;
const CR = 13;
const BOM = 0xfeff;

/** A text and where its lines are. */
export interface TextLines {
  readonly text: Characters;
  readonly lines: LineIndex;
}

/** The text of a line without its line end and where it starts, after a BOM on the first line. */
export function lineSource(file: TextLines, number: number): { start: number; text: string } {
  const start = file.lines.lineStart(number) + (number === 0 && file.text.charCodeAt(0) === BOM ? 1 : 0);
  let end = file.lines.lineStart(number + 1);
  if (end > start && file.text.charCodeAt(end - 1) === LF) end--;
  if (end > start && file.text.charCodeAt(end - 1) === CR) end--;
  return { start, text: file.text.slice(start, end) };
}

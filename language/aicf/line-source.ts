import type { SourceText } from '../../core/text/source-text.ts';

const BOM = 0xfeff;

/** Something with a text of lines. */
export interface TextLines {
  readonly text: SourceText;
}

/** The text of a line without its line end and where it starts, after a BOM on the first line. */
export function lineSource({ text }: TextLines, number: number): { start: number; text: string } {
  const start = text.lineStart(number) + (number === 0 && text.charCodeAt(0) === BOM ? 1 : 0);
  return { start, text: text.slice(start, text.lineEnd(number)) };
}

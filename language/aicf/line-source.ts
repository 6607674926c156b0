import type { SourceText } from '../../core/text/source-text.ts';

const BOM = 0xfeff;

/** An object with a text that can be read by lines. */
export interface TextLines {
  readonly text: SourceText;
}

/** The text of a line without its line end, and its offset; on the first line after a BOM. */
export function lineSource({ text }: TextLines, number: number): { start: number; text: string } {
  const start = text.lineStart(number) + (number === 0 && text.charCodeAt(0) === BOM ? 1 : 0);
  return { start, text: text.slice(start, text.lineEnd(number)) };
}

import type { SourceText } from '../core/text/source-text.ts';

const LF = 10;
const CR = 13;

/**
 * The line end to use for lines that are added to a text: the one
 * that all of its lines have, or LF if they differ or there are none.
 */
export function commonLineEnd(text: SourceText): string {
  let common: string | undefined;
  for (const chunk of text.chunks) {
    for (const start of chunk.lineStarts) {
      const found = lineEndBefore(chunk.text, start);
      if (found === '\n' || found !== (common ?? found)) return '\n';
      common = found;
    }
  }
  return common ?? '\n';
}

function lineEndBefore(text: string, start: number): string {
  if (text.charCodeAt(start - 1) !== LF) return '\r';
  return text.charCodeAt(start - 2) === CR ? '\r\n' : '\n';
}

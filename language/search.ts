import type { SourceText } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';

/** The offsets, in order, of occurrences of `needle` that lie entirely within a span. An empty needle has none. */
export function* findAll(text: SourceText, needle: string, within: Span): Generator<number> {
  if (needle === '') return;
  const { length } = needle;
  const first = text.chunkAt(Math.max(0, within.start));
  for (let index = first; index < text.chunks.length; index++) {
    const start = text.chunkStart(index);
    if (start >= within.end) return;
    const end = text.chunkStart(index + 1);
    const isInside = (at: number): boolean => at >= within.start && at + length <= within.end;
    for (const at of indexesOf(text.chunks[index]?.text ?? '', needle))
      if (isInside(start + at)) yield start + at;
    // Occurrences that cross the end of this chunk.
    const seam = Math.max(start, end - length + 1);
    for (const at of indexesOf(text.slice(seam, end + length - 1), needle)) {
      if (seam + at < end && seam + at + length > end && isInside(seam + at)) yield seam + at;
    }
  }
}

function* indexesOf(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) yield at;
}

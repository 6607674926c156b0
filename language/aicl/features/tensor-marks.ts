import type { Chunk, SourceText } from '../../../core/text/source-text.ts';

const MARK = '[t:';

/** Pieces of a text in which no tensor begins: most of a long one, and an edit leaves all of them but one as they are. */
const WITHOUT = new WeakSet<Chunk>();

/** The offset at or after `from` of the next place that reads as the head of a tensor; Infinity where none follows. */
export function findMark(text: SourceText, from: number): number {
  for (let index = text.chunkAt(from); index < text.chunks.length; index++) {
    const found = findInChunk(text, index, from);
    if (found !== undefined) return found;
  }
  return Infinity;
}

function findInChunk(text: SourceText, index: number, from: number): number | undefined {
  const chunk = text.chunks[index];
  const start = text.chunkStart(index);
  if (!chunk) return undefined;
  if (!WITHOUT.has(chunk)) {
    const found = chunk.text.indexOf(MARK, Math.max(0, from - start));
    if (found >= 0) return start + found;
    if (from <= start) WITHOUT.add(chunk);
  }
  // What begins in this piece and ends in the next one.
  const end = text.chunkStart(index + 1);
  for (const at of [end - 2, end - 1])
    if (at >= Math.max(from, start) && text.slice(at, at + MARK.length) === MARK) return at;
  return undefined;
}

import type { Chunk, SourceText } from '../../../core/text/source-text.ts';

const MARK = '[t:';

/** Chunks of texts in which no tensor starts. This covers most of a long text, and an edit changes only few chunks. */
const WITHOUT = new WeakSet<Chunk>();

/** The offset at or after `from` of the next text that looks like the head of a tensor; Infinity if there is none. */
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
  // Finds a mark that crosses the end of the chunk.
  const end = text.chunkStart(index + 1);
  for (const at of [end - 2, end - 1])
    if (at >= Math.max(from, start) && text.slice(at, at + MARK.length) === MARK) return at;
  return undefined;
}

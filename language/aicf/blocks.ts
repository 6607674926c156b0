import { countWhile } from '../../core/text/number-list.ts';
import type { Chunk, SourceText } from '../../core/text/source-text.ts';

/**
 * A part of a document that ends at a line end or with the text: one chunk of the text, or several if a line is longer
 * than a chunk. Results are cached with the block's content, so that an edit costs only the blocks that it touched.
 */
export interface Block {
  readonly content: BlockContent;
  readonly start: number;
  readonly end: number;
  /** Its line numbers: from `firstLine` to `lineEnd`, exclusive. */
  readonly firstLine: number;
  readonly lineEnd: number;
}

/**
 * The content of a block, independent of its position. Versions of a document share the object while the
 * content is the same.
 */
export interface BlockContent {
  readonly chunks: readonly Chunk[];
  /** False if the block ends with the text instead of a line end. */
  readonly isClosed: boolean;
  /** Cached results about the block, one entry per `BlockNotes` instance. */
  readonly notes: unknown[];
}

/**
 * Cuts a text into blocks, reusing those of an earlier version. An empty line at the end of the text belongs
 * to no block.
 */
export function cutBlocks({ chunks }: SourceText, old: readonly Block[] = []): readonly Block[] {
  const blocks: Block[] = [];
  let index = 0;
  for (const block of old) {
    if (!block.content.isClosed || !isAt(block, chunks, index)) break;
    blocks.push(block);
    index += block.content.chunks.length;
  }
  let { tail, tailIndex } = findTail(old, blocks.length, { chunks, index });
  while (index < chunks.length) {
    // Skips old blocks whose first line now continues an earlier one; they are cut again.
    while (tailIndex < index) tailIndex += old[tail++]?.content.chunks.length ?? Infinity;
    if (tailIndex === index && tail < old.length) {
      for (const block of old.slice(tail)) blocks.push(placeBlock(block.content, blocks.at(-1)));
      return blocks;
    }
    const content = takeContent(chunks, index);
    blocks.push(placeBlock(content, blocks.at(-1)));
    index += content.chunks.length;
  }
  return blocks;
}

/**
 * Finds the old blocks that still form the end of the text: index `tail` in `old`, starting at chunk
 * `tailIndex`.
 */
function findTail(
  old: readonly Block[],
  from: number,
  { chunks, index }: { readonly chunks: readonly Chunk[]; readonly index: number },
): { tail: number; tailIndex: number } {
  let [tail, tailIndex] = [old.length, chunks.length];
  while (tail > from) {
    const block = old[tail - 1];
    const start = tailIndex - (block?.content.chunks.length ?? 0);
    if (!block || start < index || !isAt(block, chunks, start)) break;
    tail--;
    tailIndex = start;
  }
  return { tail, tailIndex };
}

function isAt({ content }: Block, chunks: readonly Chunk[], index: number): boolean {
  return content.chunks.every((chunk, offset) => chunk === chunks[index + offset]);
}

const LF = 10;
const CR = 13;

function takeContent(chunks: readonly Chunk[], from: number): BlockContent {
  for (let index = from; index < chunks.length; index++) {
    const text = chunks[index]?.text ?? '';
    const last = text.charCodeAt(text.length - 1);
    if (last === LF || last === CR)
      return { chunks: chunks.slice(from, index + 1), isClosed: true, notes: [] };
  }
  return { chunks: chunks.slice(from), isClosed: false, notes: [] };
}

function placeBlock(content: BlockContent, above: Block | undefined): Block {
  const start = above?.end ?? 0;
  const firstLine = above?.lineEnd ?? 0;
  let end = start;
  let lineEnd = firstLine + (content.isClosed ? 0 : 1);
  for (const { text, lineStarts } of content.chunks) {
    end += text.length;
    lineEnd += lineStarts.length;
  }
  return { content, start, end, firstLine, lineEnd };
}

/** The index of the block that contains a line. */
export function findBlock(blocks: readonly Block[], line: number): number {
  return Math.max(0, countWhile(blocks.length, index => (blocks[index]?.firstLine ?? 0) <= line) - 1);
}

let kinds = 0;

/** A cache of one kind of results about blocks, filled on first use. */
export class BlockNotes<Note> {
  readonly #kind = kinds++;

  /** The cached result for a block; undefined if there is none. */
  find({ content }: Block): Note | undefined {
    // Only `set` writes entries of this kind, which TypeScript cannot infer.
    // oxlint-disable-next-line typescript/consistent-type-assertions
    return content.notes[this.#kind] as Note | undefined;
  }

  set({ content }: Block, note: Note): Note {
    content.notes[this.#kind] = note;
    return note;
  }

  /** The cached result for a block, or else the result of `make`. */
  of(block: Block, make: () => Note): Note {
    return this.find(block) ?? this.set(block, make());
  }
}

/** True if two lists have the same items; objects are compared by identity. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((item, index) => item === other[index]));
}

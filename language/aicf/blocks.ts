import { countWhile } from '../../core/text/count-while.ts';
import type { Chunk, SourceText } from '../../core/text/source-text.ts';

/**
 * A stretch of a document that ends at a line end or with the text: a chunk of its text, or several where a line is
 * longer than one. What is known of a block is kept with its content, so an edit costs the blocks that it touched.
 */
export interface Block {
  readonly content: BlockContent;
  readonly start: number;
  readonly end: number;
  /** The numbers of its lines: from `firstLine` up to `lineEnd`, which is the first one after it. */
  readonly firstLine: number;
  readonly lineEnd: number;
}

/** What a block holds, wherever it stands: the same object in all versions of a document that have it. */
export interface BlockContent {
  readonly chunks: readonly Chunk[];
  /** False for a block that ends with the text, and not at a line end. */
  readonly isClosed: boolean;
  /** What was found out about the block, one entry for each kind of notes. */
  readonly notes: unknown[];
}

/** Cuts a text into blocks; those of an earlier version are kept. An empty line at the text's end belongs to none. */
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
    // What goes on from the lines before it is cut anew.
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

/** The blocks from `tail` on are the ones that the text ends with, from its chunk at `tailIndex` on. */
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

/** The index of the block that holds a line. */
export function findBlock(blocks: readonly Block[], line: number): number {
  return Math.max(0, countWhile(blocks.length, index => (blocks[index]?.firstLine ?? 0) <= line) - 1);
}

let kinds = 0;

/** Notes of one kind on blocks, taken when they are asked for the first time. */
export class BlockNotes<Note> {
  readonly #kind = kinds++;

  /** What is noted of a block; undefined for one that is new. */
  find({ content }: Block): Note | undefined {
    // Notes of this kind are written by `set` alone, which TypeScript cannot follow through the list.
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
    return content.notes[this.#kind] as Note | undefined;
  }

  set({ content }: Block, note: Note): Note {
    content.notes[this.#kind] = note;
    return note;
  }

  /** What is noted of a block, else what `make` finds out. */
  of(block: Block, make: () => Note): Note {
    return this.find(block) ?? this.set(block, make());
  }
}

/** True where two lists hold the same things, by identity for objects. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((item, index) => item === other[index]));
}

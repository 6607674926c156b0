import { BlockNotes, isSameList, type Block } from '../../aicf/blocks.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../../aicf/parse.ts';
import type { Chunk } from '../../../core/text/source-text.ts';

/** The state of the lines above and below a block, as far as the block's issues depend on it. */
export interface Surroundings {
  /** True if the block starts with foreign text that continues a run above. */
  readonly isInRun: boolean;
  /** The end of the data on the line above, if the block starts with foreign text; otherwise undefined. */
  readonly dataEnd: number | undefined;
  /** The end, below the block, of a run of foreign lines that starts in it; undefined if it does not continue. */
  readonly runEnd: number | undefined;
  /** True if the next command below continues or ends the stream at the block's end. */
  readonly streamGoesOn: boolean;
  /** The chunks above and below whose text affects the block's issues. */
  readonly chunks: readonly Chunk[];
}

/**
 * True for surroundings that lead to the same issues. Positions need no comparison, because they move with
 * the chunks.
 */
export function isSameAround(one: Surroundings, other: Surroundings): boolean {
  return (
    one === other ||
    (one.isInRun === other.isInRun &&
      one.streamGoesOn === other.streamGoesOn &&
      isSameList(one.chunks, other.chunks))
  );
}

/** True for a line of foreign text according to the grammar. */
export function isForeignText({ tree }: PlacedLine): boolean {
  return tree.faults.some(fault => fault.code === 'aicf/foreign-text');
}

/** True for a response whose last field extends to the end of the line. */
export function holdsData({ tree }: PlacedLine): boolean {
  if (tree.command === 'OK' || tree.command === 'STREAM') return tree.pipes.length > 0;
  return tree.command === 'ERR' && tree.pipes.length > 1;
}

/** True for a line that the rules must check; blank lines are skipped unless they have a fault, such as a prefix. */
export function isSeen({ tree }: PlacedLine): boolean {
  return tree.kind !== 'blank' || tree.faults.length > 0;
}

/**
 * The properties of a block's first and last lines on which neighbouring blocks depend. Offsets are relative
 * to its start.
 */
interface Edges {
  /** The end of foreign text at the start of the block; undefined if there is none. */
  readonly leadEnd: number | undefined;
  /** True if the rules skip all lines of the block. */
  readonly isBlank: boolean;
  /** True if the last non-blank line is foreign text. */
  readonly endsInRun: boolean;
  /** True if the block has only foreign text. */
  readonly isRun: boolean;
  /** The end of the last line's data; undefined if it has none. */
  readonly dataEnd: number | undefined;
  /** The effect of the first command on a stream; undefined without a command in the block. */
  readonly first: 'goes on' | 'breaks' | undefined;
  readonly endsInStream: boolean;
}

const EDGES = new BlockNotes<Edges>();

/** The surroundings of most blocks: nothing above or below affects them. */
const ALONE: Surroundings = {
  isInRun: false,
  dataEnd: undefined,
  runEnd: undefined,
  streamGoesOn: true,
  chunks: [],
};

/** The surroundings of each block of a document. Reads changed blocks only. */
export function listSurroundings(doc: AicfDocument): readonly Surroundings[] {
  const { blocks } = doc;
  const edges = blocks.map(block => EDGES.find(block) ?? EDGES.set(block, readEdges(doc, block)));
  const below = lookDown(blocks, edges);
  let above = TOP;
  return blocks.map((block, index) => {
    const own = edges[index] ?? NO_EDGES;
    const around = surround({ blocks, index, own, above, below: below[index] ?? NOTHING_BELOW });
    if (!own.isBlank) {
      const dataEnd = own.dataEnd === undefined ? undefined : block.start + own.dataEnd;
      const isPlain = dataEnd === undefined && !own.endsInRun;
      above = isPlain ? TOP : { index, isRun: own.endsInRun, dataEnd };
    }
    return around;
  });
}

function surround({
  blocks,
  index,
  own,
  above,
  below,
}: {
  readonly blocks: readonly Block[];
  readonly index: number;
  readonly own: Edges;
  readonly above: Above;
  readonly below: Below;
}): Surroundings {
  const isInRun = own.leadEnd !== undefined && above.isRun;
  const dataEnd = own.leadEnd === undefined ? undefined : above.dataEnd;
  const { run, streamGoesOn } = below;
  const goesOn = run && !(own.isRun && isInRun);
  if (!isInRun && dataEnd === undefined && !goesOn && streamGoesOn) return ALONE;
  const chunks = [
    ...(dataEnd === undefined ? [] : blocks.slice(above.index, index)),
    ...(goesOn ? blocks.slice(index + 1, run.index + 1) : []),
  ].flatMap(block => block.content.chunks);
  return { isInRun, dataEnd, runEnd: goesOn ? run.end : undefined, streamGoesOn, chunks };
}

/** The last non-blank line above a block, and the index of its block. */
interface Above {
  readonly index: number;
  readonly isRun: boolean;
  readonly dataEnd: number | undefined;
}

const TOP: Above = { index: 0, isRun: false, dataEnd: undefined };

/** The continuation of the block's last lines in the blocks below. */
interface Below {
  readonly streamGoesOn: boolean;
  /** The end of the foreign text, and the index of its block. */
  readonly run: { readonly end: number; readonly index: number } | undefined;
}

const NOTHING_BELOW: Below = { streamGoesOn: true, run: undefined };

function lookDown(blocks: readonly Block[], edges: readonly Edges[]): readonly Below[] {
  const below: Below[] = [];
  let next: Edges['first'] = 'breaks';
  let run: Below['run'];
  for (let index = blocks.length - 1; index >= 0; index--) {
    const own = edges[index] ?? NO_EDGES;
    const streamGoesOn = !own.endsInStream || next === 'goes on';
    const ownRun = own.endsInRun ? run : undefined;
    below.push(streamGoesOn && !ownRun ? NOTHING_BELOW : { streamGoesOn, run: ownRun });
    next = own.first ?? next;
    if (own.isBlank) continue;
    if (own.leadEnd === undefined) run = undefined;
    else if (!own.isRun || !run) run = { end: (blocks[index]?.start ?? 0) + own.leadEnd, index };
  }
  return below.reverse();
}

const NO_EDGES: Edges = {
  leadEnd: undefined,
  isBlank: true,
  endsInRun: false,
  isRun: false,
  dataEnd: undefined,
  first: undefined,
  endsInStream: false,
};

/** Reads a block from both ends until its edges are known; in most blocks one or two lines. */
function readEdges(doc: AicfDocument, block: Block): Edges {
  const top = readTop(doc, block);
  if (top.isBlank) return NO_EDGES;
  let last: PlacedLine | undefined;
  let endsInStream = false;
  for (let number = block.lineEnd - 1; number >= block.firstLine; number--) {
    const line = readLineAt(doc, number);
    if (!last && isSeen(line)) last = line;
    if (last && top.first === undefined) break;
    if (line.tree.kind !== 'command') continue;
    endsInStream = line.tree.command === 'STREAM';
    break;
  }
  const dataEnd = last && holdsData(last) ? last.start + last.tree.end - block.start : undefined;
  return { ...top, endsInRun: last !== undefined && isForeignText(last), dataEnd, endsInStream };
}

function readTop(doc: AicfDocument, block: Block): Pick<Edges, 'leadEnd' | 'isBlank' | 'isRun' | 'first'> {
  let leadEnd: number | undefined;
  let isBlank = true;
  let isRun = true;
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const line = readLineAt(doc, number);
    if (!isSeen(line)) continue;
    isBlank = false;
    const { kind, command, word } = line.tree;
    if (!isForeignText(line)) isRun = false;
    else if (isRun) leadEnd = line.start + word.end - block.start;
    if (kind !== 'command') continue;
    const goesOn = command === 'STREAM' || command === 'END' || command === 'ERR';
    return { leadEnd, isBlank, isRun, first: goesOn ? 'goes on' : 'breaks' };
  }
  return { leadEnd, isBlank, isRun: isRun && !isBlank, first: undefined };
}

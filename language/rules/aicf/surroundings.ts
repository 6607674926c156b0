import { BlockNotes, isSameList, type Block } from '../../aicf/blocks.ts';
import { readLineAt, type PlacedLine } from '../../aicf/lines.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import type { Chunk } from '../../../core/text/source-text.ts';

/** What the rules on a block's lines need to know of the lines above and below it. */
export interface Surroundings {
  /** True where the block begins with text that goes on from a run of foreign lines above. */
  readonly isInRun: boolean;
  /** Where data ends in the line directly above text that begins the block; undefined where none does. */
  readonly dataEnd: number | undefined;
  /** Where the run of foreign lines at the block's end goes on to below it; undefined where it does not. */
  readonly runEnd: number | undefined;
  /** True where the next command below goes on with the stream at the block's end, or ends it. */
  readonly streamGoesOn: boolean;
  /** The chunks above and below whose text is part of the block's issues. */
  readonly chunks: readonly Chunk[];
}

/** True for surroundings with the same issues, wherever the block stands: places in the chunks move with it. */
export function isSameAround(one: Surroundings, other: Surroundings): boolean {
  return (
    one === other ||
    (one.isInRun === other.isInRun &&
      one.streamGoesOn === other.streamGoesOn &&
      isSameList(one.chunks, other.chunks))
  );
}

/** A line of foreign text: only what the grammar calls so runs together. */
export function isForeignText({ tree }: PlacedLine): boolean {
  return tree.faults.some(fault => fault.code === 'aicf/foreign-text');
}

/** True for a response whose last field takes the rest of the line. */
export function holdsData({ tree }: PlacedLine): boolean {
  if (tree.command === 'OK' || tree.command === 'STREAM') return tree.pipes.length > 0;
  return tree.command === 'ERR' && tree.pipes.length > 1;
}

/** No rule looks at a blank line; one with a prefix has a fault. */
export function isSeen({ tree }: PlacedLine): boolean {
  return tree.kind !== 'blank' || tree.faults.length > 0;
}

/** The edges of a block, which the blocks above and below it depend on. Offsets count from its start. */
interface Edges {
  /** Where the foreign text ends that begins the block; undefined where none does. */
  readonly leadEnd: number | undefined;
  /** True where no rule looks at any line of it. */
  readonly isBlank: boolean;
  /** True where the last line that is no blank one is foreign text. */
  readonly endsInRun: boolean;
  /** True where no other line than foreign text stands in it. */
  readonly isRun: boolean;
  /** Where the data of the last line ends; undefined where that holds none. */
  readonly dataEnd: number | undefined;
  /** What the first command does to a stream; undefined where no command stands in the block. */
  readonly first: 'goes on' | 'breaks' | undefined;
  readonly endsInStream: boolean;
}

const EDGES = new BlockNotes<Edges>();

/** Most blocks: nothing above or below them concerns their issues. */
const ALONE: Surroundings = {
  isInRun: false,
  dataEnd: undefined,
  runEnd: undefined,
  streamGoesOn: true,
  chunks: [],
};

/** What stands around each block of a document. Takes a look at the blocks that changed, and a step for the others. */
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

/** What stands above a block: the last line that is no blank one, and in which block. */
interface Above {
  readonly index: number;
  readonly isRun: boolean;
  readonly dataEnd: number | undefined;
}

const TOP: Above = { index: 0, isRun: false, dataEnd: undefined };

/** What stands below a block, as far as the block's end goes on there. */
interface Below {
  readonly streamGoesOn: boolean;
  /** Where the foreign text ends, and in which block. */
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

/** Reads a block from both ends, as far as its edges go: one line or two of most blocks. */
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

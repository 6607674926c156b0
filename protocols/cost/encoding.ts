import { PairMerge } from './pair-merge.ts';
import { NO_RANK, TokenRanks } from './token-ranks.ts';
import { putUtf8 } from './utf8-bytes.ts';
import { runAtOnce } from '../../core/text/slices.ts';

/** How many tokens a text is. */
export interface TokenCount {
  readonly tokens: number;
  /** False where a run of more than `LONGEST_PART` letters, blanks or signs without any break had to be cut. */
  readonly isExact: boolean;
}

/** What an encoding is made of. */
export interface EncodingData {
  /** The tokens by rank, as `packTokens` makes them. */
  readonly tokens: string;
  /** How a text is cut into pieces first. Global and by code points. */
  readonly pieces: RegExp;
}

/** Texts are counted in parts of this many characters, with a rest between them. */
const PART = 32_768;

/** A part without a sure end may be this long: expressions overflow on runs of some millions of characters. */
export const LONGEST_PART = 2 ** 20;

/** Both encodings end a piece between these, whatever stands around them. */
const SURE_END = /\p{L}(?=[^\p{L}\p{M}'])|\p{N}(?=\P{N})/gu;

/** How far before the end of a part a sure end is looked for. */
const LOOK_BACK = 2_048;

/** Pairs that are joined without a rest between. */
const STEPS = 20_000;

/** A longer piece is not kept: it hardly comes again, and the engine would keep the text that it is a part of. */
const LONGEST_KEPT = 12;
const MOST_KEPT = 50_000;

/**
 * Counts the tokens of texts as a model's own tokenizer cuts them. Marks of special tokens, such as `<|endoftext|>`,
 * are text like any other, as they are to a model that is sent them in a message.
 */
export class Encoding {
  readonly #ranks: TokenRanks;
  readonly #pieces: RegExp;
  readonly #merge: PairMerge;
  /** The bytes of the piece that is counted. */
  #bytes = new Uint8Array(192);
  /** Counts of pieces that were joined before: keys of messages come again and again. */
  readonly #known = new Map<string, number>();

  constructor({ tokens, pieces }: EncodingData) {
    this.#ranks = new TokenRanks(tokens);
    this.#pieces = new RegExp(pieces.source, pieces.flags);
    this.#merge = new PairMerge(this.#ranks);
  }

  /** Counts at once. */
  count(text: string): TokenCount {
    return runAtOnce(this.counting(text));
  }

  /** Counts in slices of some milliseconds; who wants it no longer stops asking. Two counts may be under way together. */
  *counting(text: string): Generator<void, TokenCount> {
    const counting = this.begin();
    yield* counting.addSteps(text);
    return yield* counting.endSteps();
  }

  /** Begins to count a text that comes piece by piece. */
  begin(): TokenCounting {
    return new TokenCounting(part => this.#countPart(part));
  }

  *#countPart(part: string): Generator<void, number> {
    let tokens = 0;
    for (const [piece] of part.matchAll(this.#pieces)) {
      const length = this.#encode(piece);
      if (this.#ranks.find(this.#bytes, 0, length) !== NO_RANK) tokens++;
      else if (length <= STEPS) tokens += this.#countShort(piece, length);
      else tokens += yield* this.#countLong(length);
    }
    return tokens;
  }

  /** Puts the bytes of a piece where they are counted, and answers how many there are. */
  #encode(piece: string): number {
    const most = 3 * piece.length;
    if (most > this.#bytes.length) this.#bytes = new Uint8Array(Math.max(most, 2 * this.#bytes.length));
    return putUtf8(piece, this.#bytes);
  }

  #countShort(piece: string, length: number): number {
    const known = this.#known.get(piece);
    if (known !== undefined) return known;
    this.#merge.begin(this.#bytes, length);
    this.#merge.run(Number.POSITIVE_INFINITY);
    const { count } = this.#merge;
    if (piece.length <= LONGEST_KEPT) {
      if (this.#known.size >= MOST_KEPT) this.#known.clear();
      this.#known.set(piece, count);
    }
    return count;
  }

  /** With objects of its own, because another count may come between. */
  *#countLong(length: number): Generator<void, number> {
    const merge = new PairMerge(this.#ranks);
    merge.begin(this.#bytes.slice(0, length), length);
    while (!merge.run(STEPS)) yield;
    return merge.count;
  }
}

/** A count that is under way: the same as of the whole text, wherever that is cut into pieces. */
export class TokenCounting {
  readonly #countPart: (part: string) => Generator<void, number>;
  /** What is not counted yet, because more is needed to know where a part of it ends. */
  #rest = '';
  #tokens = 0;
  #isExact = true;

  constructor(countPart: (part: string) => Generator<void, number>) {
    this.#countPart = countPart;
  }

  /** Counts as much as is sure with the next piece, in slices. */
  *addSteps(piece: string): Generator<void, void> {
    const text = this.#rest + piece;
    let start = 0;
    for (let part = findPart(text, start); part; part = findPart(text, start)) {
      this.#isExact &&= part.isSure;
      this.#tokens += yield* this.#countPart(text.slice(start, part.end));
      start = part.end;
      yield;
    }
    this.#rest = text.slice(start);
  }

  /** Counts what is left. */
  *endSteps(): Generator<void, TokenCount> {
    this.#tokens += yield* this.#countPart(this.#rest);
    this.#rest = '';
    return { tokens: this.#tokens, isExact: this.#isExact };
  }
}

/**
 * The end of the part that begins here: where a piece ends for certain, or as far as a part may reach. Undefined where the text
 * has to go on for that.
 */
function findPart(
  text: string,
  start: number,
): { readonly end: number; readonly isSure: boolean } | undefined {
  for (let length = PART; start + length < text.length; length *= 2) {
    const limit = start + length;
    const from = Math.max(start, limit - LOOK_BACK);
    const last = [...text.slice(from, limit).matchAll(SURE_END)].at(-1);
    if (last) return { end: from + last.index + last[0].length, isSure: true };
    if (length >= LONGEST_PART) return { end: isInPair(text, limit) ? limit - 1 : limit, isSure: false };
  }
  return undefined;
}

function isInPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

import { PairMerge } from './pair-merge.ts';
import { NO_RANK, TokenRanks } from './token-ranks.ts';
import { putUtf8 } from './utf8-bytes.ts';
import { runAtOnce } from '../../core/text/slices.ts';

/** The number of tokens of a text. */
export interface TokenCount {
  readonly tokens: number;
  /** False if a run of more than `LONGEST_PART` letters, blanks or signs without a break had to be cut. */
  readonly isExact: boolean;
}

/** The data of an encoding. */
export interface EncodingData {
  /** The tokens by rank, in the form of `packTokens`. */
  readonly tokens: string;
  /** Splits a text into pieces before encoding. Global, and by code points. */
  readonly pieces: RegExp;
}

/** Texts are counted in parts of this many characters, with a yield between them. */
const PART = 32_768;

/** The maximum length of a part without a safe end: regular expressions overflow on runs of millions of characters. */
export const LONGEST_PART = 2 ** 20;

/** Matches the end of a letter or number run, where both encodings end a piece in any context. */
const SURE_END = /\p{L}(?=[^\p{L}\p{M}'])|\p{N}(?=\P{N})/gu;

/** The number of characters before the end of a part in which a safe end is searched. */
const LOOK_BACK = 2_048;

/** The maximum number of merge steps without a yield. */
const STEPS = 20_000;

/** Longer pieces are not cached: they seldom recur, and the engine would retain the text that they are slices of. */
const MAX_SEARCHED = 12;
const MAX_RETAINED = 50_000;

/**
 * Counts the tokens of texts as a model's own tokenizer does. Special tokens such as `<|endoftext|>` are
 * counted as plain text, because a model treats them so in a message.
 */
export class Encoding {
  readonly #ranks: TokenRanks;
  readonly #pieces: RegExp;
  readonly #merge: PairMerge;
  /** The bytes of the current piece. */
  #bytes = new Uint8Array(192);
  /** Cached counts of pieces, because keys of messages recur. */
  readonly #known = new Map<string, number>();

  constructor({ tokens, pieces }: EncodingData) {
    this.#ranks = new TokenRanks(tokens);
    this.#pieces = new RegExp(pieces.source, pieces.flags);
    this.#merge = new PairMerge(this.#ranks);
  }

  /** Counts without slices. */
  count(text: string): TokenCount {
    return runAtOnce(this.counting(text));
  }

  /** Counts in slices of some milliseconds; a caller may stop iterating. Several counts may run interleaved. */
  *counting(text: string): Generator<void, TokenCount> {
    const counting = this.begin();
    yield* counting.addSteps(text);
    return yield* counting.endSteps();
  }

  /** Begins to count a text that arrives in pieces. */
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

  /** Writes the bytes of a piece to `#bytes`; returns their number. */
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
    if (piece.length <= MAX_SEARCHED) {
      if (this.#known.size >= MAX_RETAINED) this.#known.clear();
      this.#known.set(piece, count);
    }
    return count;
  }

  /** Uses objects of its own, because another count may run between its slices. */
  *#countLong(length: number): Generator<void, number> {
    const merge = new PairMerge(this.#ranks);
    merge.begin(this.#bytes.slice(0, length), length);
    while (!merge.run(STEPS)) yield;
    return merge.count;
  }
}

/** A count in progress; the result does not depend on how the text is cut into pieces. */
export class TokenCounting {
  readonly #countPart: (part: string) => Generator<void, number>;
  /** Text that is not counted yet, because the end of its part is not known. */
  #rest = '';
  #tokens = 0;
  #isExact = true;

  constructor(countPart: (part: string) => Generator<void, number>) {
    this.#countPart = countPart;
  }

  /** Counts, in slices, as much of the text as has safe ends. */
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

  /** Counts the remaining text. */
  *endSteps(): Generator<void, TokenCount> {
    this.#tokens += yield* this.#countPart(this.#rest);
    this.#rest = '';
    return { tokens: this.#tokens, isExact: this.#isExact };
  }
}

/**
 * The end of the part that begins at `start`: the last safe end, or the maximum length of a part. Undefined
 * if more text is needed.
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

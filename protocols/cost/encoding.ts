import { toByteText } from './byte-text.ts';
import { PairMerge, type Ranks } from './pair-merge.ts';
import { runAtOnce } from '../../core/text/slices.ts';

/** How many tokens a text is. */
export interface TokenCount {
  readonly tokens: number;
  /** False where a run of more than `LONGEST_PART` letters, blanks or signs without any break had to be cut. */
  readonly isExact: boolean;
}

/** What an encoding is made of: the tokens by rank, as text or as bytes, and how a text is cut into pieces first. */
export interface EncodingData {
  readonly tokens: readonly (string | readonly number[] | undefined)[];
  /** Global and by code points. */
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

/** A piece that is longer is not kept: it hardly comes again. */
const LONGEST_KEPT = 48;
const MOST_KEPT = 50_000;

/**
 * Counts the tokens of texts as a model's own tokenizer cuts them. Marks of special tokens, such as `<|endoftext|>`,
 * are text like any other, as they are to a model that is sent them in a message.
 */
export class Encoding {
  readonly #ranks: Ranks;
  readonly #pieces: RegExp;
  readonly #merge: PairMerge;
  /** Counts of pieces that were joined before: keys of messages come again and again. */
  readonly #known = new Map<string, number>();

  constructor({ tokens, pieces }: EncodingData) {
    this.#ranks = rankTokens(tokens);
    this.#pieces = new RegExp(pieces.source, pieces.flags);
    this.#merge = new PairMerge(this.#ranks);
  }

  /** Counts at once. */
  count(text: string): TokenCount {
    return runAtOnce(this.counting(text));
  }

  /** Counts in slices of some milliseconds; who wants it no longer stops asking. Two counts may be under way together. */
  *counting(text: string): Generator<void, TokenCount> {
    let tokens = 0;
    let isExact = true;
    for (let start = 0; start < text.length;) {
      const { end, isSure } = findEnd(text, start);
      tokens += yield* this.#countPart(text.slice(start, end));
      isExact &&= isSure;
      start = end;
      yield;
    }
    return { tokens, isExact };
  }

  *#countPart(part: string): Generator<void, number> {
    let tokens = 0;
    for (const [piece] of part.matchAll(this.#pieces)) {
      const bytes = toByteText(piece);
      if (this.#ranks.has(bytes)) tokens++;
      else if (bytes.length <= STEPS) tokens += this.#countShort(bytes);
      else tokens += yield* this.#countLong(bytes);
    }
    return tokens;
  }

  #countShort(bytes: string): number {
    const known = this.#known.get(bytes);
    if (known !== undefined) return known;
    this.#merge.begin(bytes);
    this.#merge.run(Number.POSITIVE_INFINITY);
    const { count } = this.#merge;
    if (bytes.length <= LONGEST_KEPT) {
      if (this.#known.size >= MOST_KEPT) this.#known.clear();
      this.#known.set(bytes, count);
    }
    return count;
  }

  /** With an object of its own, because another count may come between. */
  *#countLong(bytes: string): Generator<void, number> {
    const merge = new PairMerge(this.#ranks);
    merge.begin(bytes);
    while (!merge.run(STEPS)) yield;
    return merge.count;
  }
}

function rankTokens(tokens: EncodingData['tokens']): Ranks {
  const ranks = new Map<string, number>();
  for (const [rank, token] of tokens.entries()) {
    if (token === undefined) continue;
    ranks.set(typeof token === 'string' ? toByteText(token) : String.fromCharCode(...token), rank);
  }
  return ranks;
}

/** The end of the part that begins here: where a piece ends for certain, or as far as a part may reach. */
function findEnd(text: string, start: number): { readonly end: number; readonly isSure: boolean } {
  for (let length = PART; ; length *= 2) {
    const limit = start + length;
    if (limit >= text.length) return { end: text.length, isSure: true };
    const from = Math.max(start, limit - LOOK_BACK);
    const last = [...text.slice(from, limit).matchAll(SURE_END)].at(-1);
    if (last) return { end: from + last.index + last[0].length, isSure: true };
    if (length >= LONGEST_PART) return { end: isInPair(text, limit) ? limit - 1 : limit, isSure: false };
  }
}

function isInPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

import type { NumberSource } from './numbers.ts';
import { partOf, readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';

/** Quantiles of the finite numbers of a tensor. */
export interface Quantiles {
  /** One for each that was asked for, in that order; NaN where there is no finite number. */
  readonly values: readonly number[];
  /** How many elements the tensor has. */
  readonly count: number;
  /** How many of them were looked at: fewer where it is a sample. */
  readonly looked: number;
}

/**
 * The quantiles of a source, each asked for as a share from 0 to 1, in steps: exact, or of an even sample of `most`
 * elements. Between two numbers it goes in a straight line, NumPy's `linear`.
 */
export function* quantileSteps(
  source: NumberSource,
  shares: readonly number[],
  most = source.length,
): Generator<number, Quantiles> {
  const looked = Math.min(most, source.length);
  if (looked === source.length)
    return { values: yield* searchSteps(source, shares), count: source.length, looked };
  // A sample is small enough to be kept, and its elements are not looked up again.
  const sample = yield* partOf(sampleSteps(source, looked), { from: 0, to: 0.5 });
  const values = yield* partOf(searchSteps(sample, shares), { from: 0.5, to: 1 });
  return { values, count: source.length, looked };
}

function* sampleSteps(source: NumberSource, most: number): Generator<number, NumberSource> {
  const kept = new Float64Array(most);
  let length = 0;
  const keep = (numbers: Float64Array, count: number): void => {
    kept.set(numbers.subarray(0, count), length);
    length += count;
  };
  yield* readRuns(source, keep, most);
  return { dtype: 'float64', length, read: (from, to, into) => into.set(kept.subarray(from, to)) };
}

/**
 * Nothing is sorted or copied: the numbers are counted by their first 16 bits, then those which begin as a wanted one
 * does by their next 16, and so on; four passes find any of them.
 */
function* searchSteps(source: NumberSource, shares: readonly number[]): Generator<number, readonly number[]> {
  const first = new DigitCounts();
  yield* passSteps(source, first, 0);
  const places = shares.map(share => placeOf(share, first.total));
  const ranks = [...new Set(places.flatMap(({ low, high }) => [low, high]))];
  let searches = first.total > 0 ? ranks.map(rank => first.narrow({ rank, digits: [], left: rank })) : [];
  for (let digit = 1; digit < DIGITS && searches.length > 0; digit++) {
    const counts = new DigitCounts(searches.map(search => search.digits));
    yield* passSteps(source, counts, digit);
    searches = searches.map(search => counts.narrow(search));
  }
  const found = new Map(searches.map(({ rank, digits }) => [rank, numberOf(digits)]));
  const at = (rank: number): number => found.get(rank) ?? Number.NaN;
  return places.map(({ low, high, part }) => between(at(low), at(high), part));
}

function passSteps(source: NumberSource, counts: DigitCounts, digit: number): Generator<number, number> {
  const pass = readRuns(source, (numbers, length) => counts.add(numbers, length));
  return partOf(pass, { from: digit / DIGITS, to: (digit + 1) / DIGITS });
}

/** The quantiles of a source at once, as `quantileSteps` finds them. */
export function findQuantiles(
  source: NumberSource,
  shares: readonly number[],
  most = source.length,
): Quantiles {
  return runAtOnce(quantileSteps(source, shares, most));
}

/** Between which two of the sorted numbers a quantile lies, and how far on from the lower one. */
interface Place {
  readonly low: number;
  readonly high: number;
  readonly part: number;
}

function placeOf(share: number, count: number): Place {
  const last = Math.max(0, count - 1);
  const at = Math.max(0, Math.min(last, last * share));
  const low = Math.floor(at);
  return { low, high: Math.min(last, low + 1), part: at - low };
}

/** As NumPy goes: from the nearer of the two, so that both ends are met. */
function between(low: number, high: number, part: number): number {
  const way = high - low;
  if (!Number.isFinite(way)) return low * (1 - part) + high * part;
  return part < 0.5 ? low + way * part : high - way * (1 - part);
}

/** A double has so many digits of 16 bits; see `orderDigits`. */
const DIGITS = 4;
const RADIX = 65_536;

/** On the way to the number of a rank: its first digits, and its rank among the numbers that begin with them. */
interface Search {
  readonly rank: number;
  readonly digits: readonly number[];
  readonly left: number;
}

/** Counts finite numbers by one digit: the first one, or the one after some beginnings. */
class DigitCounts {
  /** Finite numbers that were counted. */
  total = 0;
  readonly #beginnings: readonly (readonly number[])[];
  readonly #counts: readonly Uint32Array[];
  /** 1 for a first digit that some beginning has: most numbers are passed over by it. */
  readonly #isWanted = new Uint8Array(RADIX);
  readonly #digits = new Uint16Array(DIGITS);

  constructor(beginnings: readonly (readonly number[])[] = [[]]) {
    this.#beginnings = [...new Map(beginnings.map(digits => [digits.join(), digits])).values()];
    this.#counts = this.#beginnings.map(() => new Uint32Array(RADIX));
    for (const [first] of this.#beginnings) if (first !== undefined) this.#isWanted[first] = 1;
  }

  add(numbers: Float64Array, length: number): void {
    const halves = new Uint32Array(numbers.buffer, numbers.byteOffset, length * 2);
    const isWanted = this.#isWanted;
    const counts = this.#counts[0];
    const isFirst = this.#beginnings[0]?.length === 0;
    let total = 0;
    for (let at = 0; at < length; at++) {
      const low = halves[at * 2] ?? 0;
      const high = halves[at * 2 + 1] ?? 0;
      // All bits of the exponent are set in NaN and in the infinities.
      if ((high & 0x7ff0_0000) === 0x7ff0_0000) continue;
      total++;
      const first = (high >>> 31 ? ~high : high | 0x8000_0000) >>> 16;
      if (isFirst && counts) counts[first] = (counts[first] ?? 0) + 1;
      else if (isWanted[first]) this.#count(first, high, low);
    }
    this.total += total;
  }

  #count(first: number, high: number, low: number): void {
    const flip = high >>> 31 ? 0xffff : 0;
    const digits = this.#digits;
    digits[0] = first;
    digits[1] = high ^ flip;
    digits[2] = (low >>> 16) ^ flip;
    digits[3] = low ^ flip;
    for (let index = 0; index < this.#beginnings.length; index++) {
      const beginning = this.#beginnings[index] ?? [];
      let same = 0;
      while (same < beginning.length && beginning[same] === digits[same]) same++;
      const counts = this.#counts[index];
      const digit = digits[same] ?? 0;
      if (same === beginning.length && counts) counts[digit] = (counts[digit] ?? 0) + 1;
    }
  }

  /** Goes on with a search, whose beginning was counted, by one digit. */
  narrow({ rank, digits, left }: Search): Search {
    const index = this.#beginnings.findIndex(beginning => beginning.join() === digits.join());
    const counts = this.#counts[index] ?? new Uint32Array(0);
    let digit = 0;
    let rest = left;
    while (digit < counts.length - 1 && rest >= (counts[digit] ?? 0)) rest -= counts[digit++] ?? 0;
    return { rank, digits: [...digits, digit], left: rest };
  }
}

/** The number with these digits: its bits, the highest first, which sort as numbers do once those of negative ones are turned. */
function numberOf(digits: readonly number[]): number {
  const view = new DataView(new ArrayBuffer(8));
  const isNegative = (digits[0] ?? 0) < 0x8000;
  for (const [at, digit] of digits.entries())
    view.setUint16(at * 2, isNegative ? ~digit : at === 0 ? digit ^ 0x8000 : digit);
  return view.getFloat64(0);
}

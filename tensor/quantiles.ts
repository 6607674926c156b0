import type { NumberSource } from './numbers.ts';
import { partOf, readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';

/** Quantiles of the finite numbers of a tensor. */
export interface Quantiles {
  /** The quantiles in the requested order; NaN if there are no finite numbers. */
  readonly values: readonly number[];
  /** The number of elements of the tensor. */
  readonly count: number;
  /** The number of elements that were read: fewer for a sample. */
  readonly looked: number;
}

/**
 * Computes quantiles of a source in steps, given as shares from 0 to 1: exactly, or from an even sample of
 * `most` elements. Interpolates like NumPy's `linear`.
 */
export function* quantileSteps(
  source: NumberSource,
  shares: readonly number[],
  most = source.length,
): Generator<number, Quantiles> {
  const looked = Math.min(most, source.length);
  if (looked === source.length)
    return { values: yield* searchSteps(source, shares), count: source.length, looked };
  // A sample is small enough to be copied to memory, so that the source is read only once.
  const sample = yield* partOf(sampleSteps(source, looked), { from: 0, to: 0.5 });
  const values = yield* partOf(searchSteps(sample, shares), { from: 0.5, to: 1 });
  return { values, count: source.length, looked };
}

function* sampleSteps(source: NumberSource, most: number): Generator<number, NumberSource> {
  const stored = new Float64Array(most);
  let length = 0;
  const keep = (numbers: Float64Array, count: number): void => {
    stored.set(numbers.subarray(0, count), length);
    length += count;
  };
  yield* readRuns(source, keep, most);
  return { dtype: 'float64', length, read: (from, to, into) => into.set(stored.subarray(from, to)) };
}

/**
 * Finds ranks without sorting or copying: counts numbers by their first 16 bits, then those that share the
 * first 16 bits of a wanted one by their next 16 bits, and so on, in four passes.
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

/** Computes quantiles like `quantileSteps`, without pausing. */
export function findQuantiles(
  source: NumberSource,
  shares: readonly number[],
  most = source.length,
): Quantiles {
  return runAtOnce(quantileSteps(source, shares, most));
}

/** The ranks of the two sorted numbers around a quantile, and its position between them from 0 to 1. */
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

/** Interpolates like NumPy from the nearer of the two numbers, so that both ends are exact. */
function between(low: number, high: number, part: number): number {
  const way = high - low;
  if (!Number.isFinite(way)) return low * (1 - part) + high * part;
  return part < 0.5 ? low + way * part : high - way * (1 - part);
}

/** The number of 16-bit digits of a double. */
const DIGITS = 4;
const RADIX = 65_536;

/** The state of the search for a rank: the digits found so far, and the rank among the numbers that begin with them. */
interface Search {
  readonly rank: number;
  readonly digits: readonly number[];
  readonly left: number;
}

/** Counts finite numbers by one digit: the first one, or the one that follows given prefixes. */
class DigitCounts {
  /** The number of finite numbers that were counted. */
  total = 0;
  readonly #beginnings: readonly (readonly number[])[];
  readonly #counts: readonly Uint32Array[];
  /** 1 for the first digit of each prefix; most numbers are skipped by this test. */
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
      // NaN and infinities have all exponent bits set.
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

  /** Extends a search by one digit; its prefix must have been counted. */
  narrow({ rank, digits, left }: Search): Search {
    const index = this.#beginnings.findIndex(beginning => beginning.join() === digits.join());
    const counts = this.#counts[index] ?? new Uint32Array(0);
    let digit = 0;
    let rest = left;
    while (digit < counts.length - 1 && rest >= (counts[digit] ?? 0)) rest -= counts[digit++] ?? 0;
    return { rank, digits: [...digits, digit], left: rest };
  }
}

/**
 * The number with these digits. The digits are the bits from the highest on, inverted for negative numbers
 * (and the sign bit for others), so that they sort like the numbers.
 */
function numberOf(digits: readonly number[]): number {
  const view = new DataView(new ArrayBuffer(8));
  const isNegative = (digits[0] ?? 0) < 0x8000;
  for (const [at, digit] of digits.entries())
    view.setUint16(at * 2, isNegative ? ~digit : at === 0 ? digit ^ 0x8000 : digit);
  return view.getFloat64(0);
}

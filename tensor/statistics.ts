import type { NumberSource } from './numbers.ts';
import { readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';

/**
 * What is in a tensor. Extremes, mean and deviation are of its finite numbers: NaN and infinities are counted apart. Of
 * complex numbers they are of the magnitudes.
 */
export interface Statistics {
  /** How many elements the tensor has. */
  readonly count: number;
  /** How many of them were looked at: fewer where it is a sample. */
  readonly looked: number;
  /** Undefined where there is no finite number. A 64-bit integer is rounded to a double: the exact one is at `minAt`. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** The index of the first smallest element, exact for 64-bit integers too where their source can tell. */
  readonly minAt: number | undefined;
  readonly maxAt: number | undefined;
  /** NaN where there is no finite number. */
  readonly mean: number;
  /** The standard deviation of these numbers as a whole, as NumPy computes it: divided by their count. */
  readonly std: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  /** Zeros of either sign. */
  readonly zeros: number;
}

/** So many numbers are summed up before their sum goes into the whole: short sums keep their last digits. */
const BLOCK_LENGTH = 1_024;

/** Integers up to here are doubles without rounding. */
const MOST_EXACT = 2 ** 53;

/** Gathers statistics run by run. However a tensor is cut into runs, the result is the same to the last bit. */
export class StatisticsFold {
  readonly #exact: NumberSource['exact'];
  /** Finite numbers that are in no block yet. */
  readonly #block = new Float64Array(BLOCK_LENGTH);
  #inBlock = 0;
  /** How many numbers are in `#mean` and `#squares`. */
  #summed = 0;
  #mean = 0;
  /** What the mean is more, less than its last digit. */
  #rest = 0;
  /** The sum of the squared distances from the mean. */
  #squares = 0;
  #looked = 0;
  #nan = 0;
  #positiveInfinity = 0;
  #negativeInfinity = 0;
  #zeros = 0;
  #min = Infinity;
  #max = -Infinity;
  #minAt = -1;
  #maxAt = -1;

  /** With the source's way to read 64-bit integers exactly, extremes that round to the same double are told apart. */
  constructor(exact?: NumberSource['exact']) {
    this.#exact = exact;
  }

  /** Takes `numbers` up to `length`, whose first one has this index. Runs come in order. */
  add(numbers: Float64Array, length: number, firstIndex: number): void {
    this.#looked += length;
    for (let at = 0; at < length; at++) {
      const value = numbers[at] ?? 0;
      // The difference is 0 for every finite number, NaN for all others.
      if (value - value !== 0) this.#countOther(value);
      else {
        if (value === 0) this.#zeros++;
        if (value <= this.#min) this.#takeMin(value, firstIndex + at);
        if (value >= this.#max) this.#takeMax(value, firstIndex + at);
        this.#block[this.#inBlock++] = value;
        if (this.#inBlock === BLOCK_LENGTH) this.#closeBlock();
      }
    }
  }

  /** The statistics of all that was added; `count` is how many elements the whole tensor has. */
  finish(count: number): Statistics {
    this.#closeBlock();
    const hasFinite = this.#summed > 0;
    return {
      count,
      looked: this.#looked,
      min: hasFinite ? this.#min : undefined,
      max: hasFinite ? this.#max : undefined,
      minAt: hasFinite ? this.#minAt : undefined,
      maxAt: hasFinite ? this.#maxAt : undefined,
      mean: hasFinite ? this.#mean : Number.NaN,
      std: hasFinite ? Math.sqrt(this.#squares / this.#summed) : Number.NaN,
      nan: this.#nan,
      positiveInfinity: this.#positiveInfinity,
      negativeInfinity: this.#negativeInfinity,
      zeros: this.#zeros,
    };
  }

  #countOther(value: number): void {
    if (value === Infinity) this.#positiveInfinity++;
    else if (value === -Infinity) this.#negativeInfinity++;
    else this.#nan++;
  }

  #takeMin(value: number, index: number): void {
    if (value === this.#min && !(this.#compare(index, this.#minAt, value) < 0)) return;
    this.#min = value;
    this.#minAt = index;
  }

  #takeMax(value: number, index: number): void {
    if (value === this.#max && !(this.#compare(index, this.#maxAt, value) > 0)) return;
    this.#max = value;
    this.#maxAt = index;
  }

  /** Compares two elements that are the same double. */
  #compare(one: number, other: number, value: number): number {
    if (!this.#exact || Math.abs(value) < MOST_EXACT) return 0;
    const difference = this.#exact(one) - this.#exact(other);
    return difference < 0n ? -1 : Number(difference > 0n);
  }

  /**
   * Joins the block with what is summed up (Chan, Golub and LeVeque 1979). The mean is kept in two parts, because the
   * deviation of numbers far from 0 hangs on digits that a single double lacks.
   */
  #closeBlock(): void {
    const count = this.#inBlock;
    if (count === 0) return;
    const { mean, rest, squares } = momentsOf(this.#block, count);
    this.#inBlock = 0;
    if (this.#summed === 0) {
      [this.#summed, this.#mean, this.#rest, this.#squares] = [count, mean, rest, squares];
      return;
    }
    const all = this.#summed + count;
    const share = count / all;
    const way = mean - this.#mean + (rest - this.#rest);
    this.#squares += squares + way * way * share * this.#summed;
    // The way between two huge numbers overflows, their parts do not.
    if (Number.isFinite(way)) this.#moveMean(way * share);
    else this.#mean = this.#mean * (1 - share) + mean * share;
    this.#summed = all;
  }

  #moveMean(way: number): void {
    const rest = this.#rest + way;
    const mean = this.#mean + rest;
    this.#rest = rest - (mean - this.#mean);
    this.#mean = mean;
  }
}

/** The mean of a block of numbers in two parts, and the sum of their squared distances from it. */
function momentsOf(
  numbers: Float64Array,
  count: number,
): { readonly mean: number; readonly rest: number; readonly squares: number } {
  const mean = meanOf(numbers, count);
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < count; at++) {
    const distance = (numbers[at] ?? 0) - mean;
    sum += distance;
    squares += distance * distance;
  }
  // What rounding left over; of huge numbers the distances overflow.
  const rest = Number.isFinite(sum) ? sum / count : 0;
  if (squares === Infinity) return { mean, rest, squares };
  return { mean, rest, squares: Math.max(0, squares - rest * rest * count) };
}

function meanOf(numbers: Float64Array, count: number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += numbers[at] ?? 0;
  if (Number.isFinite(sum)) return sum / count;
  // Finite numbers whose sum is none.
  let mean = 0;
  for (let at = 0; at < count; at++) mean += (numbers[at] ?? 0) / count;
  return mean;
}

/** The statistics of a source, in steps; of more than `most` elements of an even sample, whose size is `looked`. */
export function* statisticsSteps(source: NumberSource, most = source.length): Generator<number, Statistics> {
  const fold = new StatisticsFold(source.exact);
  yield* readRuns(source, (numbers, length, firstIndex) => fold.add(numbers, length, firstIndex), most);
  return fold.finish(source.length);
}

/** The statistics of a source at once, as `statisticsSteps` gathers them. */
export function gatherStatistics(source: NumberSource, most = source.length): Statistics {
  return runAtOnce(statisticsSteps(source, most));
}

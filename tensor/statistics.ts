import { NonFinite } from './non-finite.ts';
import type { NumberSource } from './numbers.ts';
import { readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';

/**
 * Statistics of a tensor. Minimum, maximum, mean and deviation are those of its finite numbers; NaN and
 * infinities are counted separately. For complex numbers, magnitudes are used.
 */
export interface Statistics {
  /** The number of elements of the tensor. */
  readonly count: number;
  /** The number of elements that were read: fewer for a sample. */
  readonly looked: number;
  /**
   * Undefined if there are no finite numbers. 64-bit integers
   * are rounded to doubles; the exact value is at `minAt`.
   */
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** The index of the first smallest element. For 64-bit integers it is exact if the source has `exact`. */
  readonly minAt: number | undefined;
  readonly maxAt: number | undefined;
  /** NaN if there are no finite numbers. */
  readonly mean: number;
  /** The population standard deviation, as NumPy computes it by default: divided by the count. */
  readonly std: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  /** The number of zeros of either sign. */
  readonly zeros: number;
}

/**
 * The number of values that are summed before they are merged
 * into the total; short sums have smaller rounding errors.
 */
const BLOCK_LENGTH = 1_024;

/** The magnitude up to which integers are exact as doubles. */
const MAX_EXACT = 2 ** 53;

/** Accumulates statistics run by run. The result does not depend on how a tensor is divided into runs. */
export class StatisticsFold {
  readonly #exact: NumberSource['exact'];
  /** Finite numbers that are not merged yet. */
  readonly #block = new Float64Array(BLOCK_LENGTH);
  #inBlock = 0;
  /** The number of values in `#mean` and `#squares`. */
  #summed = 0;
  #mean = 0;
  /** The low-order part of the mean, below the precision of `#mean`. */
  #rest = 0;
  /** The sum of squared deviations from the mean. */
  #squares = 0;
  #looked = 0;
  readonly #others = new NonFinite();
  #zeros = 0;
  #min = Infinity;
  #max = -Infinity;
  #minAt = -1;
  #maxAt = -1;

  /** With `exact`, extremes that round to the same double are distinguished. */
  constructor(exact?: NumberSource['exact']) {
    this.#exact = exact;
  }

  /**
   * Adds the first `length` items of `numbers`; `firstIndex` is
   * the index of the first one. Runs must be added in order.
   */
  add(numbers: Float64Array, length: number, firstIndex: number): void {
    this.#looked += length;
    for (let at = 0; at < length; at++) {
      const value = numbers[at] ?? 0;
      // The difference is 0 for finite numbers and NaN for all others.
      if (value - value !== 0) this.#others.add(value);
      else {
        if (value === 0) this.#zeros++;
        if (value <= this.#min) this.#takeMin(value, firstIndex + at);
        if (value >= this.#max) this.#takeMax(value, firstIndex + at);
        this.#block[this.#inBlock++] = value;
        if (this.#inBlock === BLOCK_LENGTH) this.#closeBlock();
      }
    }
  }

  /** The statistics of everything that was added; `count` is the number of elements of the tensor. */
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
      ...this.#others,
      zeros: this.#zeros,
    };
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

  /** Compares two elements that round to the same double. */
  #compare(one: number, other: number, value: number): number {
    if (!this.#exact || Math.abs(value) < MAX_EXACT) return 0;
    const difference = this.#exact(one) - this.#exact(other);
    return difference < 0n ? -1 : Number(difference > 0n);
  }

  /**
   * Merges the block into the total (Chan, Golub and LeVeque 1979). The mean is stored in two parts because
   * the deviation of numbers far from 0 depends on digits beyond the precision of a double.
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
    // The distance between two huge numbers may overflow, but weighted means do not.
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

/** The mean of a block in two parts, and the sum of squared deviations from it. */
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
  // The rounding error of the mean; for huge numbers the deviations overflow.
  const rest = Number.isFinite(sum) ? sum / count : 0;
  if (squares === Infinity) return { mean, rest, squares };
  return { mean, rest, squares: Math.max(0, squares - rest * rest * count) };
}

function meanOf(numbers: Float64Array, count: number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += numbers[at] ?? 0;
  if (Number.isFinite(sum)) return sum / count;
  // The sum overflowed: adds scaled numbers instead.
  let mean = 0;
  for (let at = 0; at < count; at++) mean += (numbers[at] ?? 0) / count;
  return mean;
}

/**
 * Computes the statistics of a source in steps, of an even sample if it has more than `most` elements;
 * `looked` is the size of the sample.
 */
export function* statisticsSteps(source: NumberSource, most = source.length): Generator<number, Statistics> {
  const fold = new StatisticsFold(source.exact);
  yield* readRuns(source, (numbers, length, firstIndex) => fold.add(numbers, length, firstIndex), most);
  return fold.finish(source.length);
}

/** Computes statistics like `statisticsSteps`, without pausing. */
export function gatherStatistics(source: NumberSource, most = source.length): Statistics {
  return runAtOnce(statisticsSteps(source, most));
}

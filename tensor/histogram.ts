import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { NonFinite } from './non-finite.ts';
import type { NumberSource } from './numbers.ts';
import { partOf, readRuns } from './runs.ts';

/** The maximum number of bins that can be distinguished in a picture and read in a table. */
const MAX_BINS = 64;

/** The counts of values between edges. */
export interface Histogram {
  /** `linear`: bins of the values. `log`: bins of their magnitudes, which grow by a constant factor. */
  readonly scale: 'linear' | 'log';
  /** Ascending edges, one more than bins. A bin includes its lower edge; the last one also includes its upper edge. */
  readonly edges: readonly number[];
  /** True for integers: a bin contains those from its lower edge to its upper edge minus one. */
  readonly isWhole: boolean;
  readonly counts: readonly number[];
  /** The number of zeros, which no bin of a log scale contains; 0 on a linear scale. */
  readonly zeros: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  /** The number of elements of the tensor. */
  readonly count: number;
  /** The number of elements that were read: fewer for a sample. */
  readonly looked: number;
}

export interface HistogramOptions {
  readonly scale: Histogram['scale'];
  /** The maximum number of bins; integers may have fewer. `auto`: chosen by the number of values. */
  readonly bins: number | 'auto';
  /** The maximum number of elements to read, as an even sample; all of them if absent. */
  readonly most?: number;
}

/**
 * Computes the histogram of a source in steps: one pass for the range, one for the counts. The edges are
 * those of `numpy.histogram`. For integers, edges are integers and bins contain equally many of them, or one
 * if there are few; the last bin ends with the largest one. Without finite numbers (on a log scale, without
 * non-zero ones) there are no bins.
 */
export function* histogramSteps(
  source: NumberSource,
  { scale, bins, most = source.length }: HistogramOptions,
): Generator<number, Histogram> {
  const range = new RangeFold();
  yield* partOf(
    readRuns(source, (numbers, length) => range.add(numbers, length), most),
    { from: 0, to: 0.5 },
  );
  const isWhole = scale === 'linear' && isWholeRange(range, source.dtype);
  const edges = isWhole ? wholeEdges(range, bins) : edgesOf(range, scale, bins);
  const fold = new HistogramFold(scale, edges);
  const looked = yield* partOf(
    readRuns(source, (numbers, length) => fold.add(numbers, length), most),
    { from: 0.5, to: 1 },
  );
  return { ...fold.finish(), isWhole, count: source.length, looked };
}

/** The range of finite values, and of the magnitudes of non-zero ones; empty ranges start at Infinity. */
class RangeFold {
  min = Infinity;
  max = -Infinity;
  smallest = Infinity;
  largest = -Infinity;
  finite = 0;
  zeros = 0;

  add(numbers: Float64Array, length: number): void {
    let { min, max, smallest, largest, finite, zeros } = this;
    for (let at = 0; at < length; at++) {
      const value = numbers[at] ?? 0;
      if (value - value !== 0) continue;
      finite++;
      if (value < min) min = value;
      if (value > max) max = value;
      if (value === 0) {
        zeros++;
        continue;
      }
      const magnitude = Math.abs(value);
      if (magnitude < smallest) smallest = magnitude;
      if (magnitude > largest) largest = magnitude;
    }
    Object.assign(this, { min, max, smallest, largest, finite, zeros });
  }
}

/** The magnitude up to which integers are exact as doubles. */
const MAX_EXACT = 2 ** 53;

function isWholeRange({ min, max }: RangeFold, dtype: DtypeName): boolean {
  const kind = findDtype(dtype)?.kind;
  const isInteger = kind === 'int' || kind === 'bigint' || kind === 'bool';
  return isInteger && min <= max && Math.max(-min, max) < MAX_EXACT;
}

function edgesOf(
  range: RangeFold,
  scale: Histogram['scale'],
  bins: HistogramOptions['bins'],
): readonly number[] {
  const counted = scale === 'log' ? range.finite - range.zeros : range.finite;
  const most = bins !== 'auto' ? bins : range.min === range.max ? 1 : binsFor(counted);
  return scale === 'log' ? logEdges(range, most) : linearEdges(range, most);
}

/** The larger number of the rules of Sturges and Rice: too many bins for few numbers would show no shape. */
function binsFor(count: number): number {
  const wanted = Math.max(Math.ceil(Math.log2(count)) + 1, Math.ceil(2 * Math.cbrt(count)));
  return count === 0 ? 1 : Math.min(MAX_BINS, wanted);
}

function wholeEdges({ min, max, finite }: RangeFold, bins: HistogramOptions['bins']): readonly number[] {
  const span = max - min + 1;
  const width = Math.ceil(span / (bins === 'auto' ? wholeBinsFor(span, finite) : bins));
  const count = Math.ceil(span / width);
  return Array.from({ length: count + 1 }, (_, at) => Math.min(min + at * width, max + 1));
}

/**
 * The number of bins for integers: one for each if there are few, else about `binsFor`, chosen so that the
 * last bin is nearly as wide as the others.
 */
function wholeBinsFor(span: number, count: number): number {
  if (span <= MAX_BINS) return span;
  const wanted = binsFor(count);
  const most = Math.min(MAX_BINS, Math.floor(wanted * 1.5));
  const missing = (bins: number): number => {
    const width = Math.ceil(span / bins);
    return Math.ceil(span / width) - span / width;
  };
  let best = wanted;
  for (let bins = Math.ceil(wanted / 1.5); bins <= most; bins++)
    if (missing(bins) < missing(best)) best = bins;
  return best;
}

function linearEdges({ min, max }: RangeFold, bins: number): readonly number[] {
  if (min > max) return [];
  // As in NumPy if all values are equal.
  if (min === max) return evenEdges(min - 0.5, max + 0.5, bins);
  return evenEdges(min, max, bins);
}

function logEdges({ smallest, largest }: RangeFold, bins: number): readonly number[] {
  if (smallest > largest) return [];
  const edges = evenEdges(Math.log10(smallest), Math.log10(largest), bins).map(edge => 10 ** edge);
  return ascending([smallest, ...edges.slice(1, -1), largest]);
}

/** Edges as in `numpy.linspace`. Edges that coincide are merged, so numbers that are very close have fewer bins. */
function evenEdges(from: number, to: number, bins: number): readonly number[] {
  const way = to - from;
  const step = way / bins;
  // The distance between two finite numbers may overflow.
  const edgeAt = Number.isFinite(way)
    ? (at: number) => at * step + from
    : (at: number) => (1 - at / bins) * from + (at / bins) * to;
  return ascending(Array.from({ length: bins + 1 }, (_, at) => (at === bins ? to : edgeAt(at))));
}

/** Removes edges that do not exceed the previous one; if only one number is left, it gets one bin. */
function ascending(edges: readonly number[]): readonly number[] {
  const last = edges.at(-1) ?? 0;
  const inner: number[] = [];
  for (const edge of edges) if (edge > (inner.at(-1) ?? -Infinity) && edge < last) inner.push(edge);
  return inner.length > 0 ? [...inner, last] : [last, last];
}

class HistogramFold {
  readonly #scale: Histogram['scale'];
  readonly #edges: Float64Array;
  readonly #counts: Float64Array;
  readonly #start: number;
  /** The number of bins per unit of the scale. */
  readonly #density: number;
  #zeros = 0;
  readonly #others = new NonFinite();

  constructor(scale: Histogram['scale'], edges: readonly number[]) {
    this.#scale = scale;
    this.#edges = Float64Array.from(edges);
    this.#counts = new Float64Array(Math.max(0, edges.length - 1));
    const [start, end] = [edges[0] ?? 0, edges.at(-1) ?? 0];
    this.#start = scale === 'log' ? Math.log10(start) : start;
    this.#density = this.#counts.length / ((scale === 'log' ? Math.log10(end) : end) - this.#start);
  }

  add(numbers: Float64Array, length: number): void {
    const isLog = this.#scale === 'log';
    for (let at = 0; at < length; at++) {
      const value = numbers[at] ?? 0;
      if (value - value !== 0) this.#others.add(value);
      else if (!isLog) this.#count(value, value);
      else if (value === 0) this.#zeros++;
      else this.#count(Math.abs(value), Math.log10(Math.abs(value)));
    }
  }

  finish(): Omit<Histogram, 'isWhole' | 'count' | 'looked'> {
    return {
      scale: this.#scale,
      edges: [...this.#edges],
      counts: [...this.#counts],
      zeros: this.#zeros,
      ...this.#others,
    };
  }

  /**
   * Counts a value. `place` is its position on the scale, which is
   * rounded, so the bin is corrected by comparison with the edges.
   */
  #count(value: number, place: number): void {
    const edges = this.#edges;
    const last = this.#counts.length - 1;
    const guess = Math.floor((place - this.#start) * this.#density);
    let bin = guess > 0 ? Math.min(guess, last) : 0;
    while (bin > 0 && value < (edges[bin] ?? 0)) bin--;
    while (bin < last && value >= (edges[bin + 1] ?? 0)) bin++;
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1;
  }
}

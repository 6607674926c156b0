import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import type { NumberSource } from './numbers.ts';
import { partOf, readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';

/** As many bins as are told apart side by side, and read in a table. */
const MOST_BINS = 64;

/** How often values lie between edges. */
export interface Histogram {
  /** `linear`: of the values. `log`: of their magnitudes, in bins that grow by the same factor. */
  readonly scale: 'linear' | 'log';
  /** One more than there are bins, ascending. A bin has its lower edge, the last one its upper edge too. */
  readonly edges: readonly number[];
  /** The values are integers: a bin holds those from its lower edge to one less than its upper edge. */
  readonly isWhole: boolean;
  readonly counts: readonly number[];
  /** Zeros, which are in no bin of a log scale; 0 on a linear one, whose bins hold them. */
  readonly zeros: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
  /** How many elements the tensor has. */
  readonly count: number;
  /** How many of them were looked at: fewer where it is a sample. */
  readonly looked: number;
}

export interface HistogramOptions {
  readonly scale: Histogram['scale'];
  /** How many bins there are at most; integers may have fewer. `auto`: as many as their number asks for. */
  readonly bins: number | 'auto';
  /** So many elements are looked at, an even sample of more; all of them where it is left out. */
  readonly most?: number;
}

/**
 * The histogram of a source, in steps: one pass for the range, one for the counts. The edges are those of
 * `numpy.histogram`. Integers have edges on integers and as many of them in each bin, one bin each where they are few;
 * the last bin ends with the largest of them.
 * A tensor without a finite number (or, by magnitude, without one that is not 0) has no bins.
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

/** The histogram of a source at once, as `histogramSteps` counts it. */
export function histogramOf(source: NumberSource, options: HistogramOptions): Histogram {
  return runAtOnce(histogramSteps(source, options));
}

/** The range of finite values, and of the magnitudes of those that are not 0; empty ranges go from Infinity. */
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

/** Integers up to here are doubles without rounding. */
const MOST_EXACT = 2 ** 53;

function isWholeRange({ min, max }: RangeFold, dtype: DtypeName): boolean {
  const kind = findDtype(dtype)?.kind;
  const isInteger = kind === 'int' || kind === 'bigint' || kind === 'bool';
  return isInteger && min <= max && Math.max(-min, max) < MOST_EXACT;
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

/** The larger one of the rules of Sturges and Rice: few numbers in many bins are a fence, not a shape. */
function binsFor(count: number): number {
  const wanted = Math.max(Math.ceil(Math.log2(count)) + 1, Math.ceil(2 * Math.cbrt(count)));
  return count === 0 ? 1 : Math.min(MOST_BINS, wanted);
}

function wholeEdges({ min, max, finite }: RangeFold, bins: HistogramOptions['bins']): readonly number[] {
  const span = max - min + 1;
  const width = Math.ceil(span / (bins === 'auto' ? wholeBinsFor(span, finite) : bins));
  const count = Math.ceil(span / width);
  return Array.from({ length: count + 1 }, (_, at) => Math.min(min + at * width, max + 1));
}

/** One bin a number where there are few; else about `binsFor`, so that the last bin is as wide as the others or nearly. */
function wholeBinsFor(span: number, count: number): number {
  if (span <= MOST_BINS) return span;
  const wanted = binsFor(count);
  const most = Math.min(MOST_BINS, Math.floor(wanted * 1.5));
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
  // As NumPy does where all values are the same.
  if (min === max) return evenEdges(min - 0.5, max + 0.5, bins);
  return evenEdges(min, max, bins);
}

function logEdges({ smallest, largest }: RangeFold, bins: number): readonly number[] {
  if (smallest > largest) return [];
  const edges = evenEdges(Math.log10(smallest), Math.log10(largest), bins).map(edge => 10 ** edge);
  return ascending([smallest, ...edges.slice(1, -1), largest]);
}

/** As `numpy.linspace` computes them. Edges that fall together are one: numbers so near to each other have fewer bins. */
function evenEdges(from: number, to: number, bins: number): readonly number[] {
  const way = to - from;
  const step = way / bins;
  // Numbers may be further from each other than the largest one.
  const edgeAt = Number.isFinite(way)
    ? (at: number) => at * step + from
    : (at: number) => (1 - at / bins) * from + (at / bins) * to;
  return ascending(Array.from({ length: bins + 1 }, (_, at) => (at === bins ? to : edgeAt(at))));
}

/** Edges without those that are not above the one before; of a single number one bin, which it fills. */
function ascending(edges: readonly number[]): readonly number[] {
  const last = edges.at(-1) ?? 0;
  const inner: number[] = [];
  for (const edge of edges) if (edge > (inner.at(-1) ?? -Infinity) && edge < last) inner.push(edge);
  return inner.length > 0 ? [...inner, last] : [last, last];
}

/** Counts numbers between edges. */
class HistogramFold {
  readonly #scale: Histogram['scale'];
  readonly #edges: Float64Array;
  readonly #counts: Float64Array;
  readonly #start: number;
  /** Bins for a step of 1 on the scale. */
  readonly #density: number;
  #zeros = 0;
  #nan = 0;
  #positiveInfinity = 0;
  #negativeInfinity = 0;

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
      if (value - value !== 0) this.#countOther(value);
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
      nan: this.#nan,
      positiveInfinity: this.#positiveInfinity,
      negativeInfinity: this.#negativeInfinity,
    };
  }

  #countOther(value: number): void {
    if (value === Infinity) this.#positiveInfinity++;
    else if (value === -Infinity) this.#negativeInfinity++;
    else this.#nan++;
  }

  /** Counts a value by where it stands on the scale; the edges decide, because that place is rounded. */
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

import { ElementPairs } from './differences.ts';
import { partOf, readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';
import { elementSize, type Tensor } from './tensor.ts';

/** A number, and the index of the first element that has this value. */
export interface Extreme {
  readonly value: number;
  readonly at: number;
}

/**
 * How two tensors of the same shape differ. A difference is the first element minus the second, or its
 * magnitude for complex numbers; for 64-bit integers it is computed exactly and then converted to a double.
 */
export interface Comparison {
  readonly count: number;
  /** The number of elements with different values. Two NaN count as equal, and so do 0 and -0. */
  readonly different: number;
  /** The index of the first such element. */
  readonly differentAt: number | undefined;
  /** The number of elements with different bytes; undefined if the data types differ. */
  readonly differentBits: number | undefined;
  /** The number of pairs of NaN. */
  readonly bothNan: number;
  /**
   * The number of elements without a finite difference: one is NaN or infinite and the other one differs from
   * it, or the difference overflows.
   */
  readonly apart: number;
  /** The index of the first such element. */
  readonly apartAt: number | undefined;
  /** The largest finite absolute difference; undefined if there is no finite difference. */
  readonly maxAbsolute: Extreme | undefined;
  /**
   * The largest finite difference relative to the element of the second tensor, as in NumPy's
   * `assert_allclose`; undefined if all of those elements are 0.
   */
  readonly maxRelative: Extreme | undefined;
  /** The number of elements that differ from a 0 in the second tensor, for which there is no relative difference. */
  readonly fromZero: number;
  /**
   * The cosine similarity of both tensors as vectors of all pairs of finite elements; for complex elements,
   * of their parts. Undefined if one of the vectors is 0.
   */
  readonly cosine: number | undefined;
}

/** Why two tensors cannot be compared by element, as a sentence; undefined if they can. */
export function whyIncomparable(one: Tensor, other: Tensor): string | undefined {
  const isSame =
    one.shape.length === other.shape.length && one.shape.every((size, axis) => size === other.shape[axis]);
  if (isSame) return undefined;
  const shapes = `[${one.shape.join(', ')}] and [${other.shape.join(', ')}]`;
  return `The shapes ${shapes} differ; elements are compared only where both tensors have the same shape.`;
}

/** Compares two tensors of the same shape in steps: one pass for the differences, one for the cosine. */
export function* compareSteps(one: Tensor, other: Tensor): Generator<number, Comparison> {
  const pairs = new ElementPairs(one, other);
  const bits = one.dtype === other.dtype ? new BitsFold(one, other) : undefined;
  const fold = new ComparisonFold(pairs);
  const takeDifferences = (differences: Float64Array, length: number, firstIndex: number): void => {
    fold.add(differences, length, firstIndex);
    bits?.add(firstIndex, firstIndex + length);
  };
  yield* partOf(readRuns(pairs, takeDifferences), { from: 0, to: 0.5 });
  const angle = new AngleFold(pairs, fold.largest);
  yield* partOf(
    readRuns(pairs, (_, length) => angle.add(length)),
    { from: 0.5, to: 1 },
  );
  return { ...fold.finish(), differentBits: bits?.different, cosine: angle.finish() };
}

/** Compares two tensors of the same shape like `compareSteps`, without pausing. */
export function compareTensors(one: Tensor, other: Tensor): Comparison {
  return runAtOnce(compareSteps(one, other));
}

/** Accumulates the differences of the pairs that were read last. */
class ComparisonFold {
  /** The largest finite absolute part of either tensor. */
  readonly largest = { first: 0, second: 0 };
  readonly #pairs: ElementPairs;
  #different = 0;
  #differentAt: number | undefined;
  #bothNan = 0;
  #apart = 0;
  #apartAt: number | undefined;
  #maxAbsolute: Extreme | undefined;
  #maxRelative: Extreme | undefined;
  #fromZero = 0;

  constructor(pairs: ElementPairs) {
    this.#pairs = pairs;
  }

  add(differences: Float64Array, length: number, firstIndex: number): void {
    for (let at = 0; at < length; at++) {
      const difference = Math.abs(differences[at] ?? 0);
      const index = firstIndex + at;
      this.#measure(at);
      if (difference < Infinity) this.#addFinite(difference, this.#pairs.second.magnitude(at), index);
      else this.#addOther(at, index);
    }
  }

  finish(): Omit<Comparison, 'differentBits' | 'cosine'> {
    return {
      count: this.#pairs.length,
      different: this.#different,
      differentAt: this.#differentAt,
      bothNan: this.#bothNan,
      apart: this.#apart,
      apartAt: this.#apartAt,
      maxAbsolute: this.#maxAbsolute,
      maxRelative: this.#maxRelative,
      fromZero: this.#fromZero,
    };
  }

  #measure(at: number): void {
    const { first, second } = this.#pairs;
    this.largest.first = larger(larger(this.largest.first, first.real(at)), first.imaginary(at));
    this.largest.second = larger(larger(this.largest.second, second.real(at)), second.imaginary(at));
  }

  #addFinite(difference: number, second: number, index: number): void {
    if (!this.#maxAbsolute || difference > this.#maxAbsolute.value)
      this.#maxAbsolute = { value: difference, at: index };
    if (second > 0 && second < Infinity) {
      const share = difference / second;
      if (!this.#maxRelative || share > this.#maxRelative.value)
        this.#maxRelative = { value: share, at: index };
    }
    if (difference === 0) return;
    this.#countDifferent(index);
    if (second === 0) this.#fromZero++;
  }

  #addOther(at: number, index: number): void {
    if (this.#pairs.first.isNan(at) && this.#pairs.second.isNan(at)) {
      this.#bothNan++;
      return;
    }
    this.#countDifferent(index);
    this.#apart++;
    this.#apartAt ??= index;
  }

  #countDifferent(index: number): void {
    this.#different++;
    this.#differentAt ??= index;
  }
}

function larger(most: number, part: number): number {
  const size = Math.abs(part);
  return size > most && size < Infinity ? size : most;
}

/**
 * Accumulates the dot product and the squared lengths of both vectors,
 * each scaled by its largest part, so that no square overflows.
 */
class AngleFold {
  readonly #pairs: ElementPairs;
  readonly #largest: ComparisonFold['largest'];
  #product = 0;
  #firstSquares = 0;
  #secondSquares = 0;

  constructor(pairs: ElementPairs, largest: ComparisonFold['largest']) {
    this.#pairs = pairs;
    this.#largest = largest;
  }

  /** Sums each run separately before adding it to the total, which reduces rounding errors. */
  add(length: number): void {
    const { first, second } = this.#pairs;
    const scale = this.#largest;
    let [product, firstSquares, secondSquares] = [0, 0, 0];
    for (let at = 0; at < length; at++) {
      const real = first.real(at) / scale.first;
      const imaginary = first.imaginary(at) / scale.first;
      const otherReal = second.real(at) / scale.second;
      const otherImaginary = second.imaginary(at) / scale.second;
      const sum = real + imaginary + otherReal + otherImaginary;
      if (sum - sum !== 0) continue;
      product += real * otherReal + imaginary * otherImaginary;
      firstSquares += real * real + imaginary * imaginary;
      secondSquares += otherReal * otherReal + otherImaginary * otherImaginary;
    }
    this.#product += product;
    this.#firstSquares += firstSquares;
    this.#secondSquares += secondSquares;
  }

  finish(): number | undefined {
    const lengths = Math.sqrt(this.#firstSquares) * Math.sqrt(this.#secondSquares);
    return lengths > 0 ? Math.max(-1, Math.min(1, this.#product / lengths)) : undefined;
  }
}

class BitsFold {
  different = 0;
  readonly #one: Uint8Array;
  readonly #other: Uint8Array;
  readonly #size: number;

  constructor(one: Tensor, other: Tensor) {
    this.#one = one.bytes;
    this.#other = other.bytes;
    this.#size = elementSize(one.dtype);
  }

  /** Compares the elements `[from, to)`. */
  add(from: number, to: number): void {
    const size = this.#size;
    for (let at = from * size; at < to * size; at += size) {
      let same = 0;
      while (same < size && this.#one[at + same] === this.#other[at + same]) same++;
      if (same < size) this.different++;
    }
  }
}

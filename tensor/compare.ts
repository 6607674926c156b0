import { ElementPairs } from './differences.ts';
import { partOf, readRuns } from './runs.ts';
import { runAtOnce } from '../core/text/slices.ts';
import { elementSize, type Tensor } from './tensor.ts';

/** A number, and the index of the first element that has it. */
export interface Extreme {
  readonly value: number;
  readonly at: number;
}

/**
 * How two tensors of one shape differ. A difference is the first less the second, of complex numbers its magnitude; of
 * 64-bit integers it is exact before it becomes a double.
 */
export interface Comparison {
  readonly count: number;
  /** Elements that are not the same number. A pair of NaN counts as the same, and so do 0 and -0. */
  readonly different: number;
  /** The first of those. */
  readonly differentAt: number | undefined;
  /** Elements whose bytes differ; undefined where the data types do, because then bytes say nothing. */
  readonly differentBits: number | undefined;
  /** Pairs of NaN. */
  readonly bothNan: number;
  /** Elements whose difference is no finite number: one is NaN or infinite and the other is not the same, or it overflows. */
  readonly apart: number;
  /** The first of those. */
  readonly apartAt: number | undefined;
  /** The largest finite difference without its sign; undefined where no pair has one. */
  readonly maxAbsolute: Extreme | undefined;
  /**
   * The largest finite difference as a share of the second tensor's element, as NumPy's `assert_allclose` measures it;
   * undefined where all of those are 0.
   */
  readonly maxRelative: Extreme | undefined;
  /** Elements that differ from a 0 in the second tensor, of which no difference is a share. */
  readonly fromZero: number;
  /**
   * The cosine of the angle between both as vectors of all pairs of finite elements; of complex ones, of their parts.
   * Undefined where one of both vectors is 0.
   */
  readonly cosine: number | undefined;
}

/** Why two tensors cannot be compared element by element, as a sentence; undefined where they can. */
export function whyIncomparable(one: Tensor, other: Tensor): string | undefined {
  const isSame =
    one.shape.length === other.shape.length && one.shape.every((size, axis) => size === other.shape[axis]);
  if (isSame) return undefined;
  const shapes = `[${one.shape.join(', ')}] and [${other.shape.join(', ')}]`;
  return `The shapes ${shapes} differ; elements are compared only where both tensors have the same shape.`;
}

/** Compares two tensors of one shape, in steps: one pass for the differences, one for the cosine. */
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

/** Compares two tensors of one shape at once, as `compareSteps` does. */
export function compareTensors(one: Tensor, other: Tensor): Comparison {
  return runAtOnce(compareSteps(one, other));
}

/** Folds the differences of the pairs that were read last. */
class ComparisonFold {
  /** The largest finite part on either side. */
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

/** Adds up the product and the lengths of both vectors, each scaled by its largest part, so that no square overflows. */
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

  /** Sums of a run are short and go into the whole as one, which keeps their last digits. */
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

/** Counts the elements whose bytes differ. */
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

  /** Takes the elements `[from, to)`. */
  add(from: number, to: number): void {
    const size = this.#size;
    for (let at = from * size; at < to * size; at += size) {
      let same = 0;
      while (same < size && this.#one[at + same] === this.#other[at + same]) same++;
      if (same < size) this.different++;
    }
  }
}

import { findDtype } from '../core/catalog/dtypes.ts';
import { numbersOf, type NumberSource } from './numbers.ts';
import type { Tensor } from './tensor.ts';

/**
 * The element differences of two tensors of the same shape, for pictures and histograms: first minus second,
 * or its magnitude for complex numbers. Equal infinities have the difference 0, two NaN have NaN.
 */
export function differencesOf(one: Tensor, other: Tensor): NumberSource {
  return new ElementPairs(one, other);
}

/**
 * Reads the elements of two tensors in parallel. The elements
 * of the last `read` can be accessed until the next one.
 */
export class ElementPairs implements NumberSource {
  readonly dtype = 'float64';
  readonly length: number;
  readonly first: Side;
  readonly second: Side;
  /**
   * From this magnitude on, 64-bit integers are rounded as
   * doubles, and the difference is computed from exact values.
   */
  readonly #maxExact: number;

  constructor(one: Tensor, other: Tensor) {
    this.first = new Side(one);
    this.second = new Side(other);
    this.length = Math.min(this.first.length, this.second.length);
    this.#maxExact = this.first.numbers.exact || this.second.numbers.exact ? 2 ** 53 : Infinity;
  }

  read(from: number, to: number, into: Float64Array): void {
    this.first.read(from, to);
    this.second.read(from, to);
    const isComplex = this.first.width + this.second.width > 2;
    for (let at = 0; at < to - from; at++)
      into[at] = isComplex ? this.#complexDifference(at) : this.#difference(at, from + at);
  }

  #difference(at: number, index: number): number {
    const one = this.first.real(at);
    const other = this.second.real(at);
    if (Math.abs(one) < this.#maxExact && Math.abs(other) < this.#maxExact) return minus(one, other);
    const isWhole = Number.isFinite(one) && Number.isFinite(other);
    return isWhole ? exactDifference(this.first, this.second, at, index) : minus(one, other);
  }

  #complexDifference(at: number): number {
    return Math.hypot(
      minus(this.first.real(at), this.second.real(at)),
      minus(this.first.imaginary(at), this.second.imaginary(at)),
    );
  }
}

class Side {
  readonly length: number;
  /** The number of parts of an element: 2 for complex ones, else 1. */
  readonly width: number;
  /** The parts of all elements, one after the other. */
  readonly numbers: NumberSource;
  #parts = new Float64Array(0);

  constructor(tensor: Tensor) {
    const isComplex = findDtype(tensor.dtype)?.kind === 'complex';
    const part = tensor.dtype === 'complex64' ? 'float32' : 'float64';
    this.width = isComplex ? 2 : 1;
    this.numbers = numbersOf(isComplex ? { ...tensor, dtype: part } : tensor);
    this.length = this.numbers.length / this.width;
  }

  read(from: number, to: number): void {
    const count = (to - from) * this.width;
    if (this.#parts.length < count) this.#parts = new Float64Array(count);
    this.numbers.read(from * this.width, to * this.width, this.#parts);
  }

  /** The real part of an element by its index in the last read. */
  real(at: number): number {
    return this.#parts[at * this.width] ?? Number.NaN;
  }

  /** The imaginary part; 0 for a real number. */
  imaginary(at: number): number {
    return this.width === 2 ? (this.#parts[at * 2 + 1] ?? Number.NaN) : 0;
  }

  magnitude(at: number): number {
    return this.width === 2 ? Math.hypot(this.real(at), this.imaginary(at)) : Math.abs(this.real(at));
  }

  isNan(at: number): boolean {
    return Number.isNaN(this.real(at)) || Number.isNaN(this.imaginary(at));
  }
}

/** A difference in which equal infinities give 0. */
function minus(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/**
 * The difference of two large numbers of which at least one is an integer. Fractions occur only below the
 * magnitude at which integers are rounded.
 */
function exactDifference(one: Side, other: Side, at: number, index: number): number {
  const [first, second] = [one.real(at), other.real(at)];
  const whole = exactInteger(one, index, first) - exactInteger(other, index, second);
  return Number(whole) + fractionOf(one, first) - fractionOf(other, second);
}

function exactInteger({ numbers }: Side, index: number, value: number): bigint {
  return numbers.exact?.(index) ?? BigInt(Math.trunc(value));
}

function fractionOf({ numbers }: Side, value: number): number {
  return numbers.exact ? 0 : value - Math.trunc(value);
}

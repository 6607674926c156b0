import { findDtype } from '../core/catalog/dtypes.ts';
import { numbersOf, type NumberSource } from './numbers.ts';
import type { Tensor } from './tensor.ts';

/**
 * The differences of two tensors of one shape, element by element, for pictures and histograms: the first less the
 * second, of complex numbers the magnitude of that. Equal infinities have the difference 0, a pair of NaN has NaN.
 */
export function differencesOf(one: Tensor, other: Tensor): NumberSource {
  return new ElementPairs(one, other);
}

/** The elements of two tensors side by side. What was read last can be looked at until the next reading. */
export class ElementPairs implements NumberSource {
  readonly dtype = 'float64';
  readonly length: number;
  readonly first: Side;
  readonly second: Side;
  /** From here on one of both is a rounded integer, and the difference is computed anew. */
  readonly #mostExact: number;

  constructor(one: Tensor, other: Tensor) {
    this.first = new Side(one);
    this.second = new Side(other);
    this.length = Math.min(this.first.length, this.second.length);
    this.#mostExact = this.first.numbers.exact || this.second.numbers.exact ? 2 ** 53 : Infinity;
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
    if (Math.abs(one) < this.#mostExact && Math.abs(other) < this.#mostExact) return minus(one, other);
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

/** One of the two tensors. */
class Side {
  readonly length: number;
  /** Parts of an element: 2 for complex ones, else 1. */
  readonly width: number;
  /** The parts of all elements. */
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

  /** The real part of an element, by its index in what was read. */
  real(at: number): number {
    return this.#parts[at * this.width] ?? Number.NaN;
  }

  /** 0 for a real number. */
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

/** Infinities less themselves are 0. */
function minus(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** The difference of two numbers of which one at least is an integer; a fraction is never as large as a rounded one. */
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

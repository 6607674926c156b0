import type { Span } from './span.ts';

const NONE = new Int32Array(0);
const FIRST_LENGTH = 16;

/**
 * A list of integers below 2^31 at four bytes each. A list of objects
 * takes ten times as much, which matters for untrusted texts.
 */
export class NumberList {
  #numbers = NONE;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Int32Array(Math.max(FIRST_LENGTH, this.#length * 2));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  /** The number at an index; undefined outside the list. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#numbers[index] : undefined;
  }

  /** Overwrites the number at an index. */
  set(index: number, number: number): void {
    if (index < this.#length) this.#numbers[index] = number;
  }

  /** Truncates the list to a length. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }
}

/** A compact list of spans in insertion order: a text may contain a message in every few characters. */
export class SpanList {
  readonly #starts = new NumberList();
  readonly #ends = new NumberList();

  get length(): number {
    return this.#starts.length;
  }

  push({ start, end }: Span): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  at(index: number): Span | undefined {
    const [start, end] = [this.#starts.at(index), this.#ends.at(index)];
    return start === undefined || end === undefined ? undefined : { start, end };
  }

  /** The start of a span; undefined outside the list. */
  startOf(index: number): number | undefined {
    return this.#starts.at(index);
  }

  /** The end of a span; undefined outside the list. */
  endOf(index: number): number | undefined {
    return this.#ends.at(index);
  }

  /** Overwrites the span at an index. */
  set(index: number, { start, end }: Span): void {
    this.#starts.set(index, start);
    this.#ends.set(index, end);
  }

  /** Truncates the list to a length. */
  cut(length: number): void {
    this.#starts.cut(length);
    this.#ends.cut(length);
  }
}

/**
 * The number of leading indices in `[0, count)` that pass a test, by binary search. The test must be
 * monotonic: once it fails for an index, it fails for all later ones.
 */
export function countWhile(count: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the last number that is at most `wanted`; 0 if there is none. `numbers` must be sorted. */
export function lastAtMost(numbers: readonly number[], wanted: number, count = numbers.length): number {
  return Math.max(0, countWhile(count, index => (numbers[index] ?? 0) <= wanted) - 1);
}

/** The index of the first number that is at least `wanted`; the length if there is none. `numbers` must be sorted. */
export function firstAtLeast(numbers: readonly number[], wanted: number): number {
  return countWhile(numbers.length, index => (numbers[index] ?? 0) < wanted);
}

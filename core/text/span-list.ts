import { NumberList } from './number-list.ts';
import type { Span } from './span.ts';

/** Spans of a text in the order in which they were added, packed: a text may hold a message in every few characters. */
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

  /** Where a span starts; undefined outside the list. */
  startOf(index: number): number | undefined {
    return this.#starts.at(index);
  }

  /** Where a span ends; undefined outside the list. */
  endOf(index: number): number | undefined {
    return this.#ends.at(index);
  }

  /** Writes over the span at an index. */
  set(index: number, { start, end }: Span): void {
    this.#starts.set(index, start);
    this.#ends.set(index, end);
  }

  /** Drops all from an index on. */
  cut(length: number): void {
    this.#starts.cut(length);
    this.#ends.cut(length);
  }
}

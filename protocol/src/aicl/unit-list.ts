import type { Unit, UnitContent } from './unit.ts';

/**
 * The units of a file in order. Contents and places are kept apart, so that an edit shares all contents but the ones
 * that it touched, and shifting the rest is adding to numbers.
 */
export class UnitList implements Iterable<Unit> {
  readonly #contents: readonly UnitContent[];
  readonly #starts: readonly number[];

  constructor(contents: readonly UnitContent[], starts: readonly number[]) {
    this.#contents = contents;
    this.#starts = starts;
  }

  get count(): number {
    return this.#contents.length;
  }

  /** The unit with an index; undefined past the ends. */
  at(index: number): Unit | undefined {
    const content = this.#contents[index];
    const start = this.#starts[index];
    return content && start !== undefined ? { ...content, start, end: start + content.length } : undefined;
  }

  *[Symbol.iterator](): Generator<Unit> {
    for (let index = 0; index < this.count; index++) {
      const unit = this.at(index);
      if (unit) yield unit;
    }
  }

  /** The units of which something is said: few as a rule, and the others are passed over without being placed. */
  *withIssues(): Generator<Unit> {
    for (let index = 0; index < this.count; index++) {
      const unit = this.#contents[index]?.issues.length ? this.at(index) : undefined;
      if (unit) yield unit;
    }
  }

  /** The index of the first unit that starts at or after an offset; `count` where none does. */
  indexFrom(offset: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The unit that an offset lies in or touches; undefined between units. */
  find(offset: number): Unit | undefined {
    const before = this.at(this.indexFrom(offset) - 1);
    if (before && offset <= before.end) return before;
    const next = this.at(this.indexFrom(offset));
    return next?.start === offset ? next : undefined;
  }

  /** The index of the first unit whose reading depends on the text at or after an offset; `count` where none does. */
  firstAffected(offset: number): number {
    const found = this.#contents.findIndex(
      (content, index) => (this.#starts[index] ?? 0) + content.readLength > offset,
    );
    return found < 0 ? this.count : found;
  }

  /** The list with the units `[from, to)` replaced and the ones after them moved. */
  splice(from: number, to: number, units: readonly Unit[], moveBy: number): UnitList {
    const moved = this.#starts.slice(to);
    for (let index = 0; index < moved.length; index++) moved[index] = (moved[index] ?? 0) + moveBy;
    return new UnitList(
      [...this.#contents.slice(0, from), ...units, ...this.#contents.slice(to)],
      [...this.#starts.slice(0, from), ...units.map(unit => unit.start), ...moved],
    );
  }
}

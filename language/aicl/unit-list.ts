import { firstAtLeast } from '../../core/text/count-while.ts';
import type { ChunkSummary, Unit, UnitContent } from './unit.ts';

/**
 * The units of a file in order. Contents and places are kept apart, so that an edit shares all contents but the ones
 * that it touched, and shifting the rest is adding to numbers.
 */
export class UnitList implements Iterable<Unit> {
  readonly #contents: readonly UnitContent[];
  readonly #starts: readonly number[];
  /** The same object for as long as edits leave what the messages say of their sessions. */
  readonly dialogue: object;

  constructor(contents: readonly UnitContent[], starts: readonly number[], dialogue: object = {}) {
    this.dialogue = dialogue;
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

  /** What is known of the unit with an index, wherever it stands: the same object in all versions that share it. */
  contentAt(index: number): UnitContent | undefined {
    return this.#contents[index];
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
    return firstAtLeast(this.#starts, offset);
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
    const old = this.#contents.slice(from, to);
    const isSame = old.length === units.length && units.every((unit, index) => saysSame(unit, old[index]));
    return new UnitList(
      [...this.#contents.slice(0, from), ...units, ...this.#contents.slice(to)],
      [...this.#starts.slice(0, from), ...units.map(unit => unit.start), ...moved],
      isSame ? this.dialogue : {},
    );
  }
}

/** True where two units are the same for the session that they belong to: their titles do not count. */
function saysSame(unit: UnitContent, old: UnitContent | undefined): boolean {
  if (unit.kind !== old?.kind) return false;
  const [one, other] = [unit.summary, old.summary];
  return (
    one.messageType === other.messageType &&
    one.session === other.session &&
    one.typeAt === other.typeAt &&
    one.wantedKind === other.wantedKind &&
    one.dataKind === other.dataKind &&
    one.dataAt === other.dataAt &&
    isSameChunk(one.chunk, other.chunk)
  );
}

function isSameChunk(one: ChunkSummary | undefined, other: ChunkSummary | undefined): boolean {
  if (!one || !other) return one === other;
  const isSameId = one.stream === other.stream && one.k === other.k && one.n === other.n;
  return isSameId && one.start === other.start && one.end === other.end;
}

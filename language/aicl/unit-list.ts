import { firstAtLeast } from '../../core/text/number-list.ts';
import type { ChunkSummary, Unit, UnitContent } from './unit.ts';

/** Units with their positions. */
export interface NewUnits {
  readonly contents: readonly UnitContent[];
  readonly starts: readonly number[];
}

/**
 * The units of a file in order. Contents and positions are stored separately, so that versions share the
 * contents of unchanged units and moving them only changes numbers.
 */
export class UnitList implements Iterable<Unit> {
  readonly #contents: readonly UnitContent[];
  readonly #starts: readonly number[];
  /** The same object until an edit changes how messages relate to each other in their sessions. */
  readonly dialogue: object;

  /** No unit depends on more text than this. */
  readonly #longestRead: number;

  constructor(
    contents: readonly UnitContent[],
    starts: readonly number[],
    dialogue: object = {},
    longestRead = findLongestRead(contents),
  ) {
    this.dialogue = dialogue;
    this.#contents = contents;
    this.#starts = starts;
    this.#longestRead = longestRead;
  }

  get count(): number {
    return this.#contents.length;
  }

  /** The unit at an index; undefined outside the list. */
  at(index: number): Unit | undefined {
    const content = this.#contents[index];
    const start = this.#starts[index];
    return content && start !== undefined ? { ...content, start, end: start + content.length } : undefined;
  }

  /** The position-independent content of the unit at an index; versions share the object while it does not change. */
  contentAt(index: number): UnitContent | undefined {
    return this.#contents[index];
  }

  *[Symbol.iterator](): Generator<Unit> {
    for (let index = 0; index < this.count; index++) {
      const unit = this.at(index);
      if (unit) yield unit;
    }
  }

  /** The units with issues, usually few; the others are skipped without computing their positions. */
  *withIssues(): Generator<Unit> {
    for (let index = 0; index < this.count; index++) {
      const unit = this.#contents[index]?.issues.length ? this.at(index) : undefined;
      if (unit) yield unit;
    }
  }

  /** The index of the first unit that starts at or after an offset; `count` if none does. */
  indexFrom(offset: number): number {
    return firstAtLeast(this.#starts, offset);
  }

  /** The unit that contains or touches an offset; undefined between units. */
  find(offset: number): Unit | undefined {
    const before = this.at(this.indexFrom(offset) - 1);
    if (before && offset <= before.end) return before;
    const next = this.at(this.indexFrom(offset));
    return next?.start === offset ? next : undefined;
  }

  /** The index of the first unit whose reading depends on the text at or after an offset; `count` if none does. */
  firstAffected(offset: number): number {
    for (let index = this.indexFrom(offset - this.#longestRead); index < this.count; index++) {
      const start = this.#starts[index] ?? 0;
      if (start + (this.#contents[index]?.readLength ?? 0) > offset) return index;
    }
    return this.count;
  }

  /** Replaces the units `[from, to)` and moves the ones after them. */
  splice(from: number, to: number, { contents, starts }: NewUnits, moveBy: number): UnitList {
    const moved = this.#starts.slice(to);
    for (let index = 0; index < moved.length; index++) moved[index] = (moved[index] ?? 0) + moveBy;
    const old = this.#contents.slice(from, to);
    const isSame =
      old.length === contents.length && contents.every((unit, index) => isSameContent(unit, old[index]));
    return new UnitList(
      this.#contents.slice(0, from).concat(contents, this.#contents.slice(to)),
      this.#starts.slice(0, from).concat(starts, moved),
      isSame ? this.dialogue : {},
      Math.max(this.#longestRead, findLongestRead(contents)),
    );
  }
}

function findLongestRead(contents: readonly UnitContent[]): number {
  return contents.reduce((longest, { readLength }) => Math.max(longest, readLength), 0);
}

/** True if two units are equal for the checks of their session; titles are not relevant there. */
function isSameContent(unit: UnitContent, old: UnitContent | undefined): boolean {
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

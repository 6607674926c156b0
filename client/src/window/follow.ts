/** A change as VS Code reports it. All changes of an event use offsets in the text before the event. */
export interface OffsetChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A position that moves with the text. */
export interface Place {
  readonly offset: number;
  /**
   * The last event since the text around the position was deleted, so that the position can be restored when
   * Undo reverts it.
   */
  readonly last?: Step;
}

/** An event combined into one change, and the position before it. */
interface Step extends Stretch {
  readonly before: Place;
}

/** A replacement of `removed` characters at an offset by `inserted` characters. */
interface Stretch {
  readonly start: number;
  readonly removed: number;
  readonly inserted: number;
}

/** The position after the changes of an event. Text that is inserted directly before the position moves it. */
export function followPlace(
  place: Place,
  changes: readonly OffsetChange[],
  { isUndo = false }: { readonly isUndo?: boolean } = {},
): Place {
  const step = coverChanges(changes);
  const undone = isUndo ? findUndone(place, step) : undefined;
  if (undone) return undone;
  const { offset, last } = place;
  const isTaken = changes.some(
    ({ rangeOffset, rangeLength }) => rangeOffset <= offset && offset < rangeOffset + rangeLength,
  );
  // Applied from last to first, so that earlier offsets stay valid.
  const ordered = changes.toSorted(
    (one, other) => other.rangeOffset - one.rangeOffset || other.rangeLength - one.rangeLength,
  );
  const moved = ordered.reduce(move, offset);
  return last || isTaken ? { offset: moved, last: { ...step, before: place } } : { offset: moved };
}

/**
 * An offset after a change. An offset inside of the removed text keeps its distance from the start, as far as
 * the new text reaches.
 */
function move(offset: number, { rangeOffset, rangeLength, text }: OffsetChange): number {
  if (offset < rangeOffset) return offset;
  if (offset >= rangeOffset + rangeLength) return offset + text.length - rangeLength;
  return rangeOffset + Math.min(offset - rangeOffset, text.length);
}

function coverChanges(changes: readonly OffsetChange[]): Stretch {
  const start = Math.min(...changes.map(change => change.rangeOffset));
  const end = Math.max(...changes.map(change => change.rangeOffset + change.rangeLength));
  const growth = changes.reduce((sum, { text, rangeLength }) => sum + text.length - rangeLength, 0);
  return { start, removed: end - start, inserted: end - start + growth };
}

/** The maximum number of events to combine, because Undo reverts typed letters together. */
const MAX_STEPS = 10_000;

/**
 * The position before the last events, if a change reverts exactly these: all of them together, or only the
 * last one.
 */
function findUndone(place: Place, change: Stretch): Place | undefined {
  let done: Stretch | undefined;
  let step = place.last;
  for (let count = 0; step && count < MAX_STEPS; count++) {
    // Text typed elsewhere is reverted separately.
    if (done && !touches(step, done)) return undefined;
    done = done ? joinStretches(step, done) : step;
    const isUndone =
      change.start === done.start && change.removed === done.inserted && change.inserted === done.removed;
    if (isUndone) return step.before;
    step = step.before.last;
  }
  return undefined;
}

function touches(one: Stretch, other: Stretch): boolean {
  return other.start <= one.start + one.inserted && one.start <= other.start + other.removed;
}

/** Combines two consecutive changes into one. */
function joinStretches(one: Stretch, other: Stretch): Stretch {
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.start + one.inserted, other.start + other.removed);
  return {
    start,
    removed: end - start - one.inserted + one.removed,
    inserted: end - start - other.removed + other.inserted,
  };
}

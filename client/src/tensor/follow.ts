/** A change of a document as VS Code tells of it: the changes of one event all name places before all of them. */
export interface OffsetChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A place that moves with its text. */
export interface Place {
  readonly offset: number;
  /** The last event since the text around the place was taken away: when Undo takes it back, the place comes back too. */
  readonly last?: Step;
}

/** An event as one change of the stretch that its changes cover, and the place before it. */
interface Step extends Stretch {
  readonly before: Place;
}

/** So many characters from an offset on were replaced by so many others. */
interface Stretch {
  readonly start: number;
  readonly removed: number;
  readonly inserted: number;
}

/** Where a place stands after the changes of an event, which Undo made or not. What is put directly before it moves it. */
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
  // From the last to the first, so that each still stands where the event says.
  const ordered = changes.toSorted(
    (one, other) => other.rangeOffset - one.rangeOffset || other.rangeLength - one.rangeLength,
  );
  const moved = ordered.reduce(move, offset);
  return last || isTaken ? { offset: moved, last: { ...step, before: place } } : { offset: moved };
}

/** An offset after a change; inside of what was taken away it goes as far into what took its place. */
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

/** Undo takes typed letters back together: so many events at most. */
const MOST_STEPS = 10_000;

/** The place before the last events, where a change is what takes these back: all of them at once, or the last alone. */
function findUndone(place: Place, change: Stretch): Place | undefined {
  let done: Stretch | undefined;
  let step = place.last;
  for (let count = 0; step && count < MOST_STEPS; count++) {
    // What was typed elsewhere is taken back for itself.
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

/** Two changes, one after the other, as one. */
function joinStretches(one: Stretch, other: Stretch): Stretch {
  const start = Math.min(one.start, other.start);
  const end = Math.max(one.start + one.inserted, other.start + other.removed);
  return {
    start,
    removed: end - start - one.inserted + one.removed,
    inserted: end - start - other.removed + other.inserted,
  };
}

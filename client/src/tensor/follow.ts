/** A change of a document as VS Code tells of it: the changes of one event all name places before all of them. */
export interface OffsetChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A place that moves with its text. */
export interface Place {
  readonly offset: number;
  /** What took the text around the place away: when as much text comes back, by Undo, so does the place in it. */
  readonly removal?: Removal;
}

interface Removal {
  /** Where that stands which took the text's place. What is typed there belongs to it: Undo takes both at once. */
  readonly start: number;
  readonly end: number;
  /** How long the text was that was taken away, and the place in it, counted from its start. */
  readonly length: number;
  readonly place: Place;
}

/** Where a place stands after the changes of an event. What is put directly before it moves it. */
export function followPlace(place: Place, changes: readonly OffsetChange[]): Place {
  // From the last to the first, so that each still stands where the event says.
  const ordered = changes.toSorted(
    (one, other) => other.rangeOffset - one.rangeOffset || other.rangeLength - one.rangeLength,
  );
  return ordered.reduce(followChange, place);
}

function followChange(place: Place, change: OffsetChange): Place {
  const { rangeOffset: start, rangeLength, text } = change;
  const end = start + rangeLength;
  const growth = text.length - rangeLength;
  const { offset, removal } = place;
  if (removal && start >= removal.start && end <= removal.end) {
    const isWhole = rangeLength === removal.end - removal.start;
    if (isWhole && text.length === removal.length) return shift(removal.place, start);
    return { offset: move(offset, change), removal: { ...removal, end: removal.end + growth } };
  }
  const held = removal ?? { start: offset, end: offset + 1 };
  if (end <= held.start) return shift(place, growth);
  if (start >= held.end) return place;
  return {
    offset: move(offset, change),
    removal: { start, end: start + text.length, length: rangeLength, place: shift(place, -start) },
  };
}

function shift({ offset, removal }: Place, by: number): Place {
  return {
    offset: offset + by,
    ...(removal && { removal: { ...removal, start: removal.start + by, end: removal.end + by } }),
  };
}

/** An offset after a change; inside of what was taken away it goes as far into what took its place. */
function move(offset: number, { rangeOffset, rangeLength, text }: OffsetChange): number {
  if (offset < rangeOffset) return offset;
  if (offset >= rangeOffset + rangeLength) return offset + text.length - rangeLength;
  return rangeOffset + Math.min(offset - rangeOffset, text.length);
}

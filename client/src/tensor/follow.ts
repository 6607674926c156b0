/** A change of a document as VS Code tells of it: the changes of one event all name places before all of them. */
export interface OffsetChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A place that moves with its text. */
export interface Place {
  readonly offset: number;
  /** What took the text around the place away: when the same text comes back, by Undo, so does the place in it. */
  readonly removal?: Removal;
}

interface Removal {
  /** How far the place now stands behind the start of what took the text's place, and how long that is. */
  readonly back: number;
  readonly length: number;
  /** The same for the text that was taken away. */
  readonly removedBack: number;
  readonly removedLength: number;
}

/** Where a place stands after the changes of an event. What is put directly before it moves it. */
export function followPlace(place: Place, changes: readonly OffsetChange[]): Place {
  const { offset } = place;
  let moved = 0;
  let held: Place = place;
  for (const change of changes) {
    const { rangeOffset, rangeLength, text } = change;
    if (isReturn(place, change)) held = { offset: rangeOffset + (place.removal?.removedBack ?? 0) };
    else if (rangeOffset + rangeLength <= offset) moved += text.length - rangeLength;
    else if (rangeOffset <= offset) held = remove(offset, change);
  }
  return { ...held, offset: held.offset + moved };
}

function isReturn({ offset, removal }: Place, { rangeOffset, rangeLength, text }: OffsetChange): boolean {
  return (
    removal !== undefined &&
    rangeOffset === offset - removal.back &&
    rangeLength === removal.length &&
    text.length === removal.removedLength
  );
}

function remove(offset: number, { rangeOffset, rangeLength, text }: OffsetChange): Place {
  const removedBack = offset - rangeOffset;
  const back = Math.min(text.length, removedBack);
  const removal = { back, length: text.length, removedBack, removedLength: rangeLength };
  return { offset: rangeOffset + back, removal };
}

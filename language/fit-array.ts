/** The minimum capacity that V8 gives to an array that grows item by item. */
const GROWN = 17;

/** A copy of a short array without spare capacity: a hostile text may contain millions of lists of one item. */
export function fitArray<Item>(items: readonly Item[]): readonly Item[] {
  return items.length < GROWN ? items.slice() : items;
}

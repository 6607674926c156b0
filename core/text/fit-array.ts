/** An array that grew item by item has room for so many items at least, in V8. */
const GROWN = 17;

/** The items in an array without room for more: a hostile text has millions of lists of one item. */
export function fitArray<Item>(items: readonly Item[]): readonly Item[] {
  return items.length < GROWN ? items.slice() : items;
}

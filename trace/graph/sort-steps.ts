/** The number of items that one step sorts or merges. */
const BLOCK = 2048;

/** A stable merge sort of a copy of a list, in steps of bounded work. */
export function* sortSteps<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<undefined, readonly Item[]> {
  if (items.length <= BLOCK) return [...items].sort(compare);
  let runs: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += BLOCK) {
    runs.push(items.slice(from, from + BLOCK).sort(compare));
    yield undefined;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSteps<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<undefined, readonly Item[]> {
  const merged: Item[] = [];
  let at = 0;
  for (const [index, item] of one.entries()) {
    for (let next = other[at]; next !== undefined && compare(next, item) < 0; next = other[++at]) {
      merged.push(next);
      if (at % BLOCK === 0) yield undefined;
    }
    merged.push(item);
    if (index % BLOCK === 0) yield undefined;
  }
  for (; at < other.length; at += BLOCK) {
    for (const item of other.slice(at, at + BLOCK)) merged.push(item);
    yield undefined;
  }
  return merged;
}

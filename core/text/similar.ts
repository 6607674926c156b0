/**
 * The edit distance (insert, delete, replace, swap of neighbours), or `limit + 1` if it is greater. Texts
 * whose lengths differ by more than the limit are not compared, which bounds the work.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}

/**
 * The candidate most similar to a misspelt name, ignoring case:
 * within distance 1, or 2 for candidates of at least six letters.
 */
export function findSimilar<Name extends string>(
  name: string,
  candidates: readonly Name[],
): Name | undefined {
  let best: Name | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const limit = candidate.length >= 6 ? 2 : 1;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), limit);
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

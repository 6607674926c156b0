/**
 * The number of leading indices in `[0, count)` that pass a test, by binary search. The test must be
 * monotonic: once it fails for an index, it fails for all later ones.
 */
export function countWhile(count: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the last number that is at most `wanted`; 0 if there is none. `numbers` must be sorted. */
export function lastAtMost(numbers: readonly number[], wanted: number, count = numbers.length): number {
  return Math.max(0, countWhile(count, index => (numbers[index] ?? 0) <= wanted) - 1);
}

/** The index of the first number that is at least `wanted`; the length if there is none. `numbers` must be sorted. */
export function firstAtLeast(numbers: readonly number[], wanted: number): number {
  return countWhile(numbers.length, index => (numbers[index] ?? 0) < wanted);
}

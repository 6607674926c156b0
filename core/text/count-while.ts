/**
 * How many of the indices from 0 to `count` pass a test that no later one passes once one has failed, by halving: the
 * index of the first that fails.
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

/** The index of the last number that is at most `wanted`; 0 where none is. Numbers are in order. */
export function lastAtMost(numbers: readonly number[], wanted: number, count = numbers.length): number {
  return Math.max(0, countWhile(count, index => (numbers[index] ?? 0) <= wanted) - 1);
}

/** The index of the first number that is at least `wanted`; how many there are where none is. Numbers are in order. */
export function firstAtLeast(numbers: readonly number[], wanted: number): number {
  return countWhile(numbers.length, index => (numbers[index] ?? 0) < wanted);
}

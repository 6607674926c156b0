import type { NumberSource } from '../../../../tensor/numbers.ts';
import type { Matcher } from './search-query.ts';

/** Elements to check between two steps. */
const BLOCK = 16_384;

/** The start and the direction of a search. */
export interface SearchStart {
  /**
   * The search begins after this element (before it, if backward) and ends with it. A new search passes the
   * selected element.
   */
  readonly at: number;
  readonly direction: 'next' | 'previous';
}

/**
 * Finds the next matching element and wraps around at the end; the start element is checked last. Yields the
 * completed share from 0 to 1. Returns undefined if none matches.
 */
export function* findElement(
  numbers: NumberSource,
  matcher: Matcher,
  { at, direction }: SearchStart,
): Generator<number, number | undefined> {
  const { length } = numbers;
  const block = new Float64Array(BLOCK);
  const isNext = direction === 'next';
  const pivot = isNext ? at + 1 : at;
  const runs = [
    [pivot, length],
    [0, pivot],
  ] as const;
  let done = 0;
  for (const [start, end] of isNext ? runs : runs.toReversed()) {
    const blocks = Math.ceil((end - start) / BLOCK);
    for (let step = 0; step < blocks; step++) {
      const from = start + (isNext ? step : blocks - 1 - step) * BLOCK;
      const to = Math.min(end, from + BLOCK);
      numbers.read(from, to, block);
      const found = findInBlock(block, matcher, { from, to, direction });
      if (found !== undefined) return found;
      done += to - from;
      yield done / length;
    }
  }
  return undefined;
}

/** Counts the matching elements. Yields the completed share. */
export function* countMatches(numbers: NumberSource, matcher: Matcher): Generator<number, number> {
  const { length } = numbers;
  const block = new Float64Array(BLOCK);
  let count = 0;
  for (let from = 0; from < length; from += BLOCK) {
    const to = Math.min(length, from + BLOCK);
    numbers.read(from, to, block);
    for (let index = from; index < to; index++) if (isMatch(block[index - from], matcher, index)) count++;
    yield to / length;
  }
  return count;
}

function findInBlock(
  block: Float64Array,
  matcher: Matcher,
  {
    from,
    to,
    direction,
  }: { readonly from: number; readonly to: number; readonly direction: SearchStart['direction'] },
): number | undefined {
  const [first, step] = direction === 'next' ? [from, 1] : [to - 1, -1];
  for (let index = first; index >= from && index < to; index += step)
    if (isMatch(block[index - from], matcher, index)) return index;
  return undefined;
}

function isMatch(value = Number.NaN, { mayMatch, matches }: Matcher, index: number): boolean {
  return mayMatch(value) && (!matches || matches(index));
}

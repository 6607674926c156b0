import { showCount } from '../../../core/text/count.ts';

/**
 * The maximum number of values in a body that is read as one value. Each takes about a hundred bytes of memory, however
 * short it is written: a body of the longest size with nothing but numbers would take several GB.
 */
export const MAX_VALUES = 4_000_000;

/** The reason for a body that is not read; it is shown as received. */
export const TOO_MANY_VALUES = {
  status: 'incomplete',
  code: 'TOO_LONG',
  message: `The reply holds more than ${showCount(MAX_VALUES)} values and was not read; it is shown as received. Request less, or in pages`,
} as const;

/** Shorter texts cannot hold so many values. */
const SHORTEST = 2 * MAX_VALUES;

/** The commas that are found before the next slice of work. */
const SLICE = 100_000;

/**
 * True for a text of JSON with too many values. Commas in prose, which follow a letter and are followed by a blank, do
 * not count.
 */
export function* hasTooManyValues(text: string, most = MAX_VALUES): Generator<undefined, boolean> {
  if (text.length < Math.min(SHORTEST, 2 * most)) return false;
  let count = 0;
  let found = 0;
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
    if (isBetweenValues(text, at) && ++count >= most) return true;
    if (++found % SLICE === 0) yield;
  }
  return false;
}

function isBetweenValues(text: string, at: number): boolean {
  return text.charCodeAt(at + 1) !== SPACE || /["\]}0-9]/.test(text.charAt(at - 1));
}

const SPACE = 32;

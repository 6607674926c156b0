import { CONTENT_START, type AtomNode, type PairNode } from './ast.ts';
import type { AtomKind } from './atom-end.ts';
import { isWordAt } from './characters.ts';

/*
 * Most values are plain: their texts contain no `[` and no backslash, their literals are `true`, `false` or a few
 * digits, their dictionaries have a few different keys, and they have no tensors and no commas at the end of a group.
 * The scanner sees this while it reads them, and then no rule for single values has to look at them.
 */

/** The maximum length of a plain number, which is always in range. */
const SHORT_NUMBER = 18;

/** True for a boolean, and for a number of few digits with an optional sign and in a float one point. */
export function isPlainLiteral(text: string, kind: AtomKind, from: number, to: number): boolean {
  if (kind === 'bool') return isWordAt(text, from, 'true]') || isWordAt(text, from, 'false]');
  if (kind === 'tensor' || to - from > SHORT_NUMBER) return false;
  let points = kind === 'float' ? 1 : 0;
  let digits = 0;
  for (let at = isSign(text.charCodeAt(from)) ? from + 1 : from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) digits++;
    else if (code !== POINT || points-- === 0) return false;
  }
  return digits > 0;
}

const POINT = 46;

function isSign(code: number): boolean {
  return code === 43 || code === 45;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The maximum number and length of keys that are compared one by one. */
const FEW = 12;
const SHORT = 64;

/** True for few short keys that differ as they are written. */
export function haveFewKeys(text: string, base: number, pairs: readonly PairNode[]): boolean {
  if (pairs.length > FEW) return false;
  for (let index = 1; index < pairs.length; index++)
    for (let earlier = 0; earlier < index; earlier++)
      if (mayBeSame(text, base, pairs[index]?.key, pairs[earlier]?.key)) return false;
  return true;
}

function mayBeSame(
  text: string,
  base: number,
  one: AtomNode | undefined,
  other: AtomNode | undefined,
): boolean {
  if (!one || !other) return true;
  const length = one.end - one.start;
  if (length !== other.end - other.start) return false;
  if (length > SHORT) return true;
  for (let at = CONTENT_START; at < length; at++)
    if (text.charCodeAt(base + one.start + at) !== text.charCodeAt(base + other.start + at)) return false;
  return true;
}

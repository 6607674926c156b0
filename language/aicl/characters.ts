import type { Characters } from '../../core/text/source-text.ts';

/** UTF-16 code units of the grammar. */
export const LF = 10;
export const CR = 13;
export const TAB = 9;
export const SPACE = 32;
export const HASH = 35;
export const COMMA = 44;
export const COLON = 58;
export const OPEN = 91;
export const BACKSLASH = 92;
export const CLOSE = 93;
/** The full-width comma and brackets. */
export const WIDE_COMMA = 0xff0c;
export const WIDE_OPEN = 0xff3b;
export const WIDE_CLOSE = 0xff3d;
export const BOM = 0xfeff;

/** White space of the grammar: space, TAB, LF, CR. */
export function isBlank(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === LF || code === CR || code === TAB);
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

/** Full-width punctuation and the ASCII character it is mistaken for. */
export const FULL_WIDTH: ReadonlyMap<string, string> = new Map([
  ['，', ','],
  ['：', ':'],
  ['［', '['],
  ['］', ']'],
]);

/** Separators of other notations, with the AICL separator that was meant. */
export const SEPARATORS: ReadonlyMap<string, string> = new Map([
  ['=', ':'],
  [';', ','],
]);

/** Unicode spaces that are not white space in the grammar, including U+FEFF. */
export const FOREIGN_SPACE =
  /[\u000b\u000c\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/;

/** True if a text has a word at an offset. Unlike comparing a slice, this copies nothing. */
export function isWordAt(text: Characters, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++)
    if (text.charCodeAt(at + index) !== word.charCodeAt(index)) return false;
  return true;
}

/** The first offset at or after `at` that is not white space. */
export function skipBlanks(text: Characters, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return next;
}

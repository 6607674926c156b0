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
export const BOM = 0xfeff;

/** White space of the grammar: space, TAB, LF, CR. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB;
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

/** Full-width punctuation and the ASCII that was meant. */
export const FULL_WIDTH: ReadonlyMap<string, string> = new Map([
  ['，', ','],
  ['：', ':'],
  ['［', '['],
  ['］', ']'],
]);

/** The first offset at or after `at` that holds no white space. */
export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return next;
}

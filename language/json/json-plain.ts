/** Limits for plain JSON: depth, keys per object, length of numbers. */
const DEEPEST = 30;
const MAX_KEYS = 32;
const LONGEST_NUMBER = 15;

const FAILED = -1;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const WORDS: readonly string[] = ['true', 'false', 'null'];

/**
 * True if a part of a text is JSON that needs no further check: no escapes, no duplicate keys, no numbers
 * that a reader may round. Most JSON is plain, and a file may have a million lines of it, so this creates no
 * tokens and stores nothing. Other JSON is checked by the full reader.
 */
export function isPlainJson(text: string, start: number, end: number): boolean {
  return skipValue(text, start, 0) === end;
}

/** The end of the value at an offset; `FAILED` if it is not plain. */
function skipValue(text: string, at: number, depth: number): number {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return skipString(text, at);
    case OPEN_BRACE:
      return depth < DEEPEST ? skipObject(text, at, depth + 1) : FAILED;
    case OPEN_BRACKET:
      return depth < DEEPEST ? skipArray(text, at, depth + 1) : FAILED;
    case LOWER_T:
    case LOWER_F:
    case LOWER_N: {
      const word = WORDS.find(literal => text.startsWith(literal, at));
      return word === undefined ? FAILED : at + word.length;
    }
    default:
      return skipNumber(text, at);
  }
}

function skipObject(text: string, start: number, depth: number): number {
  const keys: number[] = [];
  let at = skipSpaces(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACE) return at + 1;
  for (;;) {
    const keyEnd = text.charCodeAt(at) === QUOTE ? skipString(text, at) : FAILED;
    if (keyEnd === FAILED || keys.length === MAX_KEYS * 2 || isAmong(text, keys, at, keyEnd)) return FAILED;
    keys.push(at, keyEnd);
    at = skipSpaces(text, keyEnd);
    if (text.charCodeAt(at) !== COLON) return FAILED;
    at = skipValue(text, skipSpaces(text, at + 1), depth);
    if (at === FAILED) return FAILED;
    at = skipSpaces(text, at);
    if (text.charCodeAt(at) !== COMMA) return text.charCodeAt(at) === CLOSE_BRACE ? at + 1 : FAILED;
    at = skipSpaces(text, at + 1);
  }
}

/** True if a key is written like one of the previous keys. */
function isAmong(text: string, keys: readonly number[], start: number, end: number): boolean {
  for (let index = 0; index < keys.length; index += 2) {
    const other = keys[index] ?? 0;
    if ((keys[index + 1] ?? 0) - other !== end - start) continue;
    let at = start;
    while (at < end && text.charCodeAt(at) === text.charCodeAt(other + at - start)) at++;
    if (at === end) return true;
  }
  return false;
}

function skipArray(text: string, start: number, depth: number): number {
  let at = skipSpaces(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_BRACKET) return at + 1;
  for (;;) {
    at = skipValue(text, at, depth);
    if (at === FAILED) return FAILED;
    at = skipSpaces(text, at);
    if (text.charCodeAt(at) !== COMMA) return text.charCodeAt(at) === CLOSE_BRACKET ? at + 1 : FAILED;
    at = skipSpaces(text, at + 1);
  }
}

function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH || code < SPACE) return FAILED;
  }
  return FAILED;
}

/** Reads a JSON number without an exponent. */
function skipNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = skipDigits(text, first);
  if (at === first || (text.charCodeAt(first) === ZERO && at > first + 1)) return FAILED;
  if (text.charCodeAt(at) === POINT) {
    const fraction = at + 1;
    at = skipDigits(text, fraction);
    if (at === fraction) return FAILED;
  }
  return at - start > LONGEST_NUMBER ? FAILED : at;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
  return at;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

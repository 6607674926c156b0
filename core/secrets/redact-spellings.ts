import { encodeUtf8 } from '../events/bytes.ts';

/** The units of a stream: UTF-16 text, or text with one character (0 to 255) for each byte of UTF-8. */
export type StreamUnits = 'text' | 'bytes';

/** A node in the automaton of the spellings of one character: its transitions, and whether a spelling may end here. */
export class Spelling {
  static #count = 0;
  readonly id = Spelling.#count++;
  readonly next = new Map<number, Spelling>();
  isEnd = false;
}

/** The position of a character in its secret. Only the `first` may follow a run of backslashes of any length. */
export type Place = 'first' | 'later';

/** The maximum number of backslashes of nested escapes: JSON in JSON in JSON puts 7 before a quotation mark. */
const MAX_BACKSLASHES = 8;

/** The same for percent-encoded backslashes, each of which takes three characters: JSON in JSON in a URL. */
const MAX_ENCODED_BACKSLASHES = 4;

/** The maximum number of nested URLs: `%22`, `%2522`, `%252522`. */
const MAX_ADDRESSES = 3;

/** Characters that JSON, AICF fields or AICL texts escape with a backslash. */
const ESCAPABLE: ReadonlySet<string> = new Set(['"', '\\', '/', '|', ']']);

/** Control characters that JSON and AICF write as a letter after a backslash. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);

/**
 * The spellings of one character: plain, percent-encoded (RFC 3986, and `+` for a blank), escaped as in JSON,
 * AICF or AICL with hexadecimal digits in either case, and combinations of these.
 */
export function spellCharacter(character: string, units: StreamUnits, place: Place): Spelling {
  const root = new Spelling();
  addCharacter(root, character, units, place);
  return root;
}

/**
 * The spellings of one Base64 digit, for which each character of `digits` is an alternative. A later digit
 * may be preceded by a line break. Letters and numbers are never escaped, so only the other digits and the
 * padding have several spellings.
 */
export function spellDigit(digits: string, place: Place): Spelling {
  const root = new Spelling();
  for (const digit of digits) {
    if (/[+/=]/.test(digit)) addCharacter(root, digit, 'text', place);
    else walk(root, digit).isEnd = true;
  }
  if (place === 'later') addLineBreak(root, spellDigit(digits, 'first'));
  return root;
}

function addCharacter(root: Spelling, character: string, units: StreamUnits, place: Place): void {
  const raw = units === 'bytes' ? String.fromCharCode(...encodeUtf8(character)) : character;
  walk(root, raw).isEnd = true;
  if (character === ' ') walk(root, '+').isEnd = true;
  addPercent(root, character);
  const runs = walkRuns(root);
  const unicode = spellUnits(unitsOf(character));
  const letter = LETTERS.get(character);
  for (const run of [...runs.plain, ...runs.encoded]) {
    run.next.set(U, unicode);
    if (letter !== undefined) walk(run, letter).isEnd = true;
    if (character === '\\') run.isEnd = true;
    else if (ESCAPABLE.has(character)) {
      walk(run, raw).isEnd = true;
      addPercent(run, character);
    }
  }
  const longest = runs.plain.at(-1);
  if (place === 'first') longest?.next.set(BACKSLASH, longest);
}

/** Adds the percent-encoding of all bytes of a character, also in nested URLs. */
function addPercent(from: Spelling, character: string): void {
  for (let depth = 0; depth < MAX_ADDRESSES; depth++) {
    let end = from;
    for (const byte of encodeUtf8(character)) end = walkHex(walk(end, `%${'25'.repeat(depth)}`), byte, 2);
    end.isEnd = true;
  }
}

/** The nodes after each number of backslashes, plain and percent-encoded. */
function walkRuns(from: Spelling): { readonly plain: Spelling[]; readonly encoded: Spelling[] } {
  return {
    plain: repeat(from, MAX_BACKSLASHES, at => walk(at, '\\')),
    encoded: repeat(from, MAX_ENCODED_BACKSLASHES, at => walkHex(walk(at, '%'), BACKSLASH, 2)),
  };
}

function repeat(from: Spelling, times: number, move: (at: Spelling) => Spelling): Spelling[] {
  const places: Spelling[] = [];
  for (let at = from; places.length < times;) places.push((at = move(at)));
  return places;
}

/** The nodes after `\u`: the digits of the first UTF-16 unit, and for a surrogate pair the escape of the second. */
function spellUnits([unit = 0, ...more]: readonly number[]): Spelling {
  const root = new Spelling();
  const end = walkHex(root, unit, 4);
  if (more.length === 0) {
    end.isEnd = true;
    return root;
  }
  const { plain, encoded } = walkRuns(end);
  const rest = spellUnits(more);
  for (const run of [...plain, ...encoded]) run.next.set(U, rest);
  return root;
}

function unitsOf(character: string): readonly number[] {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
}

/** Adds a line break, `\n` or `\r\n`, plain, escaped or percent-encoded, followed by `then`. */
function addLineBreak(root: Spelling, then: Spelling): void {
  addEnd(root, then);
  const returns = [walk(root, '\r'), walkHex(walk(root, '%'), CARRIAGE_RETURN, 2)];
  for (const run of walkRuns(root).plain) returns.push(walk(run, 'r'));
  for (const after of returns) addEnd(after, then);
}

function addEnd(from: Spelling, then: Spelling): void {
  from.next.set(LINE_FEED, then);
  for (const run of walkRuns(from).plain) run.next.set('n'.charCodeAt(0), then);
  const high = walk(from, '%0');
  for (const digit of 'aA') high.next.set(digit.charCodeAt(0), then);
}

/** The node after a text; missing nodes are created. */
function walk(from: Spelling, text: string): Spelling {
  let at = from;
  for (let index = 0; index < text.length; index++) at = walkEither(at, text.charAt(index));
  return at;
}

/** The node after a number of `digits` hexadecimal digits, each in either case. */
function walkHex(from: Spelling, value: number, digits: number): Spelling {
  let at = from;
  for (const digit of value.toString(16).padStart(digits, '0'))
    at = walkEither(at, digit, digit.toUpperCase());
  return at;
}

function walkEither(from: Spelling, ...characters: readonly string[]): Spelling {
  const codes = characters.map(character => character.charCodeAt(0));
  const known = codes.map(code => from.next.get(code)).find(each => each !== undefined);
  const place = known ?? new Spelling();
  for (const code of codes) from.next.set(code, place);
  return place;
}

export const BACKSLASH = '\\'.charCodeAt(0);
const U = 'u'.charCodeAt(0);
const LINE_FEED = '\n'.charCodeAt(0);
const CARRIAGE_RETURN = '\r'.charCodeAt(0);

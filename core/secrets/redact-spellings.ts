import { encodeUtf8 } from '../events/bytes.ts';

/** What a stream is made of: texts of UTF-16, or texts of one character (0 to 255) a byte of UTF-8. */
export type StreamUnits = 'text' | 'bytes';

/** A place in the spellings of one character: what may follow, and whether a spelling may end here. */
export class Spelling {
  readonly next = new Map<number, Spelling>();
  isEnd = false;
}

/** Where a character stands in its secret: only the `first` may follow a run of backslashes of any length. */
export type Place = 'first' | 'later';

/** How often an escape may be escaped again: JSON in JSON in JSON puts 7 backslashes before a quote. */
const MOST_BACKSLASHES = 8;

/** The same for backslashes that are percent-encoded, each of three characters: JSON in JSON in an address. */
const MOST_ENCODED_BACKSLASHES = 4;

/** How often an address may stand in another one: `%22`, `%2522`, `%252522`. */
const MOST_ADDRESSES = 3;

/** What JSON, an AICF field and a text of AICL write with a backslash before it. */
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
 * The spellings of one character: as it is, percent-encoded (RFC 3986, and `+` for a blank), escaped as in JSON, AICF or
 * AICL, with hexadecimal digits in either case, and each of them inside another.
 */
export function spellCharacter(character: string, units: StreamUnits, place: Place): Spelling {
  const root = new Spelling();
  addCharacter(root, character, units, place);
  return root;
}

/**
 * The spellings of one digit of Base64, of which each of `digits` will do. A later one may begin a new line. Nobody
 * escapes letters and numbers of Base64: only its other digits and the padding have spellings.
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

/** Percent-encoding of all bytes of a character, in an address or in one inside it. */
function addPercent(from: Spelling, character: string): void {
  for (let depth = 0; depth < MOST_ADDRESSES; depth++) {
    let end = from;
    for (const byte of encodeUtf8(character)) end = walkHex(walk(end, `%${'25'.repeat(depth)}`), byte, 2);
    end.isEnd = true;
  }
}

/** The places after each number of backslashes, as they are and percent-encoded. */
function walkRuns(from: Spelling): { readonly plain: Spelling[]; readonly encoded: Spelling[] } {
  return {
    plain: repeat(from, MOST_BACKSLASHES, at => walk(at, '\\')),
    encoded: repeat(from, MOST_ENCODED_BACKSLASHES, at => walkHex(walk(at, '%'), BACKSLASH, 2)),
  };
}

function repeat(from: Spelling, times: number, move: (at: Spelling) => Spelling): Spelling[] {
  const places: Spelling[] = [];
  for (let at = from; places.length < times;) places.push((at = move(at)));
  return places;
}

/** What follows `\u`: the digits of the first unit, and for a character of two the escape of the second. */
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

/** A line break, `\n` or `\r\n`, as it is, escaped or percent-encoded, and after it `then`. */
function addLineBreak(root: Spelling, then: Spelling): void {
  addEnd(root, 'n', then);
  const returns = [walk(root, '\r'), walkHex(walk(root, '%'), CARRIAGE_RETURN, 2)];
  for (const run of walkRuns(root).plain) returns.push(walk(run, 'r'));
  for (const after of returns) addEnd(after, 'n', then);
}

function addEnd(from: Spelling, letter: string, then: Spelling): void {
  from.next.set(LINE_FEED, then);
  for (const run of walkRuns(from).plain) run.next.set(letter.charCodeAt(0), then);
  const high = walk(from, '%0');
  for (const digit of 'aA') high.next.set(digit.charCodeAt(0), then);
}

/** The place after a text, made where there is none. */
function walk(from: Spelling, text: string): Spelling {
  let at = from;
  for (let index = 0; index < text.length; index++) at = walkEither(at, text.charAt(index));
  return at;
}

/** The place after a number of so many hexadecimal digits, each in either case. */
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

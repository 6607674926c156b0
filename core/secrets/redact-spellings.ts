import { encodeUtf8 } from '../events/bytes.ts';

/** The units of a stream: UTF-16 text, or text with one character (0 to 255) for each byte of UTF-8. */
export type StreamUnits = 'text' | 'bytes';

/** A node in the tree of the spellings of one character: what may follow, and whether a spelling may end here. */
export class Spelling {
  readonly next = new Map<number, Spelling>();
  isEnd = false;

  /** The tree of some spellings. Hexadecimal digits of an escape are in either case. */
  static of(spellings: readonly string[]): Spelling {
    const root = new Spelling();
    for (const spelling of spellings) {
      let node = root;
      let isEscape = false;
      for (let at = 0; at < spelling.length; at++) {
        const unit = spelling.charAt(at);
        node = node.#add(unit, isEscape && unit >= 'a' && unit <= 'f' ? unit.toUpperCase() : unit);
        isEscape ||= unit === '%' || unit === '\\';
      }
      node.isEnd = true;
    }
    return root;
  }

  #add(unit: string, same: string): Spelling {
    const node = this.next.get(unit.charCodeAt(0)) ?? new Spelling();
    this.next.set(unit.charCodeAt(0), node);
    this.next.set(same.charCodeAt(0), node);
    return node;
  }
}

/** Backslashes of nested escapes, JSON in JSON in JSON puts 7 before a quotation mark, and percent-encoded ones. */
const BACKSLASHES = Array.from({ length: 8 }, (_, at) => '\\'.repeat(at + 1));
const ENCODED_BACKSLASHES = Array.from({ length: 4 }, (_, at) => '%5c'.repeat(at + 1));

/** What encodes a percent sign in a URL, in one inside that and in one inside that: `%22`, `%2522`, `%252522`. */
const PERCENTS = ['%', '%25', '%2525'];

/** Characters that JSON, AICF fields or AICL texts escape with a backslash, as they do with a backslash. */
const ESCAPABLE = '"/|]';

/** Control characters that JSON and AICF write as a letter after a backslash. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);

/** A line break inside Base64, plain, escaped or percent-encoded; or none. */
export const LINE_BREAK = Spelling.of([
  '',
  ...['', '\r', '%0d', ...BACKSLASHES.map(run => `${run}r`)].flatMap(before =>
    ['\n', '%0a', ...BACKSLASHES.map(run => `${run}n`)].map(end => before + end),
  ),
]);

/**
 * The spellings of one character: plain, percent-encoded (RFC 3986, and `+` for a blank), escaped as in JSON,
 * AICF or AICL with hexadecimal digits in either case, and combinations of these.
 */
export function listSpellings(character: string, units: StreamUnits): readonly string[] {
  const bytes = [...encodeUtf8(character)];
  const raw = units === 'bytes' ? String.fromCharCode(...bytes) : character;
  const encoded = PERCENTS.map(mark => bytes.map(byte => mark + toHex(byte, 2)).join(''));
  const letter = LETTERS.get(character) ?? [];
  const escaped = [...letter, ...(ESCAPABLE.includes(character) ? [raw, ...encoded] : [])];
  const unitsOf16 = Array.from(character.matchAll(/[^]/g), ([unit]) => toHex(unit.charCodeAt(0), 4));
  return [
    raw,
    ...encoded,
    ...(character === ' ' ? ['+'] : []),
    ...[...BACKSLASHES, ...ENCODED_BACKSLASHES].flatMap(run => [
      unitsOf16.map(unit => `${run}u${unit}`).join(''),
      ...escaped.map(each => run + each),
      ...(character === '\\' ? [run] : []),
    ]),
  ];
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

import { holdsVariable, replaceVariables } from '../variables.ts';
import type { AicfSide } from '../../core/catalog/aicf.ts';
import { fieldSource, sideOf, type AicfLine } from './ast.ts';
import { decodeField, encodeField, findEscape } from './codec.ts';
import { findJsonEnd } from './json-end.ts';
import { parseJson } from '../../core/text/json.ts';

/**
 * What an argument that is JSON, or looks like it, holds. `ambiguous` is valid before and after unescaping with
 * different values. A finding may span several fields, which a raw `|` cut apart.
 */
export interface JsonFinding {
  readonly state: 'whole' | 'broken' | 'ambiguous';
  readonly firstField: number;
  readonly lastField: number;
  /** True for JSON that is whole as it stands, and not after unescaping. */
  readonly isWritten: boolean;
  /** The JSON as it stands before unescaping, or joined, escaped for a field; undefined where none could be made out. */
  readonly encoded: string | undefined;
}

/** Where arguments stand that may be JSON. */
export interface JsonPlace {
  /** The first field that is no argument any more. */
  readonly before: number;
  /** How many characters of the line may still be searched for the rest of JSON that a raw `|` cut. */
  readonly search: { left: number };
}

/** More characters than a request has that servers take, twice over. */
export const MOST_SEARCHED = 1 << 18;

/** A longer field counts as whole unread: it is ten times as long as a request that servers take, which is told. */
const LONGEST_READ = 1 << 20;

/** True for a raw field that begins as only JSON does: `{"`, `{}`, `["`, `[{`, `[[`, `[]` or `[` and a digit. */
export function looksLikeJson(raw: string): boolean {
  return /^(?:\{["}]|\[["{[\]0-9])/.test(raw.slice(0, 2));
}

/** Reads the argument in a field as JSON. */
export function readJsonField(text: string, line: AicfLine, field: number, place: JsonPlace): JsonFinding {
  const raw = fieldSource(text, line, field);
  const alone = { firstField: field, lastField: field, isWritten: false };
  const side = sideOf(line);
  const decoded = decodeField(raw, side);
  if (raw.length > LONGEST_READ) return { ...alone, state: 'whole', encoded: undefined };
  // What a variable holds is not known yet: it stands for any value.
  if (isJson(decoded) || (holdsVariable(decoded) && isJson(replaceVariables(decoded, '0')))) {
    if (isAmbiguousJson(raw, side)) return { ...alone, state: 'ambiguous', encoded: encodeJson(raw) };
    return { ...alone, state: 'whole', encoded: undefined };
  }
  if (decoded !== raw && isJson(raw))
    return { ...alone, state: 'broken', isWritten: true, encoded: encodeJson(raw) };
  return findJoined(text, line, field, place) ?? { ...alone, state: 'broken', encoded: undefined };
}

/** A way to read a field. */
interface Reading {
  readonly isWritten: boolean;
  readonly read: (raw: string) => string;
  readonly findEscape: (letter: string) => string | undefined;
}

/** The two ways to read a field: with its escapes decoded, and as it is written. */
const READINGS: Readonly<Record<AicfSide, readonly Reading[]>> = {
  request: listReadings('request'),
  response: listReadings('response'),
};

function listReadings(side: AicfSide): readonly Reading[] {
  return [
    {
      isWritten: false,
      read: raw => decodeField(raw, side),
      findEscape: letter => findEscape(letter, side),
    },
    { isWritten: true, read: raw => raw, findEscape: () => undefined },
  ];
}

/** The JSON that the field is whole as with the next ones, which a raw `|` cut off. */
function findJoined(
  text: string,
  line: AicfLine,
  field: number,
  { before, search }: JsonPlace,
): JsonFinding | undefined {
  const start = (line.pipes[field] ?? line.end) + 1;
  for (const reading of READINGS[sideOf(line)]) {
    const end = Math.min(line.pipes[before] ?? line.end, start + search.left);
    const found = findJsonEnd(text, start, end, reading.findEscape);
    search.left -= (found === -1 ? end : found) - start;
    if (found === -1) continue;
    const lastField = findFieldAt(line, field, found);
    const fieldEnd = line.pipes[lastField + 1] ?? line.end;
    if (lastField === field || fieldEnd > end) continue;
    const json = reading.read(text.slice(start, fieldEnd));
    if (!isJson(json)) continue;
    const { isWritten } = reading;
    return { state: 'broken', firstField: field, lastField, isWritten, encoded: encodeJson(json) };
  }
  return undefined;
}

/** The field that holds the character before `end`, from one on that does. */
function findFieldAt(line: AicfLine, from: number, end: number): number {
  let field = from;
  while ((line.pipes[field + 1] ?? line.end) < end) field++;
  return field;
}

/** True for data of `OK` that is JSON, which is so when it is unescaped and parses. */
export function isJsonData(raw: string): boolean {
  return mayBeJson(raw) && isJson(decodeField(raw, 'response'));
}

/** True for data of `OK` that is JSON as it stands, and no more when it is unescaped. */
export function isUnescapedJson(raw: string): boolean {
  return mayBeJson(raw) && !isJson(decodeField(raw, 'response')) && isJson(raw);
}

/** False for data that is no JSON, or only a number or a word, in which no backslash can stand. */
function mayBeJson(raw: string): boolean {
  return raw.length <= LONGEST_READ && /^\s*[{["]/.test(raw);
}

/** True for a raw field that is JSON before and after unescaping, with different values. */
export function isAmbiguousJson(raw: string, side: AicfSide): boolean {
  const decoded = decodeField(raw, side);
  return decoded !== raw && isJson(decoded) && isJson(raw) && !isSameJson(raw, decoded);
}

/**
 * JSON as a field. Where the usual escaping would leave a field that is JSON before unescaping too, every escape
 * in the JSON is written `\uXXXX` instead: a field leaves that alone, so it means the same either way.
 */
export function encodeJson(json: string): string {
  const encoded = encodeField(json);
  // No escape of one side alone is in what was encoded.
  if (!isAmbiguousJson(encoded, 'request')) return encoded;
  return json
    .replace(/\\(["\\/bfnrt])/g, (found, letter: string) =>
      toUnicodeEscape(JSON_ESCAPES.get(letter) ?? found),
    )
    .replace(/\|/g, toUnicodeEscape)
    .replace(/[\r\n]/g, ' ');
}

/**
 * A text inside a JSON string in a field. What JSON or a field would escape is written `\uXXXX`, which a field leaves
 * alone: so it is the same text for receivers that unescape fields and for those that do not.
 */
export function encodeJsonPart(text: string): string {
  return text.replace(
    /["\\|\u0000-\u001f\u007f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    toUnicodeEscape,
  );
}

const JSON_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** True for a text that is one JSON value. */
function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

function isSameJson(a: string, b: string): boolean {
  return JSON.stringify(parseJson(a)) === JSON.stringify(parseJson(b));
}

import { holdsVariable, replaceVariables } from '../variables.ts';
import type { AicfSide, AicfTypeName } from '../../core/catalog/aicf.ts';
import { fieldSource, sideOf, type AicfLine } from './ast.ts';
import { decodeField, encodeField, findEscape } from './codec.ts';
import { findJsonEnd } from './json-end.ts';
import { parseJson } from '../../core/text/json.ts';

/**
 * The JSON in an argument. `ambiguous` means valid before and after unescaping, with different values. A
 * finding spans several fields if raw `|` characters split the JSON.
 */
export interface JsonFinding {
  readonly state: 'whole' | 'broken' | 'ambiguous';
  readonly firstField: number;
  readonly lastField: number;
  /** True if the JSON is valid as written but not after unescaping. */
  readonly isWritten: boolean;
  /**
   * The JSON encoded for a field, after joining or without the wrong escaping; undefined if there is nothing
   * to correct or it cannot be recovered.
   */
  readonly encoded: string | undefined;
  /** The parsed JSON after unescaping; undefined if it is broken, too long, or depends on a variable. */
  readonly value?: unknown;
}

/** The range in which JSON arguments are read. */
export interface JsonPlace {
  /** The first field after the arguments. */
  readonly before: number;
  /** The remaining number of characters that may be searched for JSON split by a raw `|`. */
  readonly search: { left: number };
}

/** Twice the maximum length of requests that servers accept. */
export const MAX_SEARCHED = 1 << 18;

/** Longer fields are not parsed and count as whole; another rule reports such a request as too long. */
const LONGEST_READ = 1 << 20;

/** True for a raw field that starts like JSON only: `{"`, `{}`, `["`, `[{`, `[[`, `[]`, or `[` and a digit. */
export function looksLikeJson(raw: string): boolean {
  return /^(?:\{["}]|\[["{[\]0-9])/.test(raw);
}

/**
 * True if an argument must be JSON because of its type. An array may also be written as `a,b,c`, and an empty
 * field is absent.
 */
export function isCertainJson(raw: string, type: AicfTypeName): boolean {
  if (type === 'object') return raw !== '';
  return type === 'array' && (raw.trimStart().startsWith('[') || looksLikeJson(raw));
}

/** Reads the argument in a field as JSON. */
export function readJsonField(text: string, line: AicfLine, field: number, place: JsonPlace): JsonFinding {
  const raw = fieldSource(text, line, field);
  const alone = { firstField: field, lastField: field, isWritten: false };
  const side = sideOf(line);
  const decoded = decodeField(raw, side);
  if (raw.length > LONGEST_READ) return { ...alone, state: 'whole', encoded: undefined };
  const value = parseJson(decoded);
  // The value of a variable is not known yet, so any value is assumed.
  if (value !== undefined || (holdsVariable(decoded) && isJson(replaceVariables(decoded)))) {
    if (isAmbiguousJson(raw, side)) return { ...alone, state: 'ambiguous', encoded: encodeJson(raw), value };
    return { ...alone, state: 'whole', encoded: undefined, value };
  }
  if (decoded !== raw && isJson(raw))
    return { ...alone, state: 'broken', isWritten: true, encoded: encodeJson(raw) };
  return findJoined(text, line, field, place) ?? { ...alone, state: 'broken', encoded: undefined };
}

/** One way to read a field. */
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

/** The JSON that results from joining the field with the following ones, if a raw `|` split it. */
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

/** The field that contains the character before `end`, searched from field `from`. */
function findFieldAt(line: AicfLine, from: number, end: number): number {
  let field = from;
  while ((line.pipes[field + 1] ?? line.end) < end) field++;
  return field;
}

/** True for data of `OK` that is JSON after unescaping. */
export function isJsonData(raw: string): boolean {
  return mayBeJson(raw) && isJson(decodeField(raw, 'response'));
}

/** True for data of `OK` that is JSON as written but not after unescaping. */
export function isUnescapedJson(raw: string): boolean {
  return mayBeJson(raw) && !isJson(decodeField(raw, 'response')) && isJson(raw);
}

/** False for data that is not JSON, or only a number or a word, which contain no backslash. */
function mayBeJson(raw: string): boolean {
  return raw.length <= LONGEST_READ && /^\s*[{["]/.test(raw);
}

/** True for a raw field that is JSON before and after unescaping, with different values. */
export function isAmbiguousJson(raw: string, side: AicfSide): boolean {
  const decoded = decodeField(raw, side);
  return decoded !== raw && isJson(decoded) && isJson(raw) && !isSameJson(raw, decoded);
}

/**
 * Encodes JSON as a field. If the usual escaping would be ambiguous, every escape in the JSON is written as
 * `\uXXXX`, which fields do not decode, so that both readings agree.
 */
export function encodeJson(json: string): string {
  const encoded = encodeField(json);
  // The side is irrelevant: `encodeField` writes only escapes that both sides have.
  return isAmbiguousJson(encoded, 'request') ? encodeJsonEscapes(json) : encoded;
}

/** Encodes JSON, or a part of it, as a field with every escape written as `\uXXXX`. */
export function encodeJsonEscapes(json: string): string {
  return json
    .replace(/\\["\\/bfnrt]/g, escape => toUnicodeEscape(String(parseJson(`"${escape}"`))))
    .replace(/\|/g, toUnicodeEscape)
    .replace(/[\r\n]/g, ' ');
}

/**
 * Encodes a text inside a JSON string of a field. Characters that JSON or the field would escape are written as
 * `\uXXXX`, which fields do not decode, so that the text is the same whether or not a receiver unescapes fields.
 */
export function encodeJsonPart(text: string): string {
  return text.replace(
    /["\\|\u0000-\u001f\u007f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    toUnicodeEscape,
  );
}

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

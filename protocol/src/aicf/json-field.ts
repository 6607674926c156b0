import { fieldSource, type AicfLine } from './ast.ts';
import { decodeField, encodeField } from './codec.ts';

/**
 * What an argument that is JSON, or looks like it, holds. `ambiguous` is valid before and after unescaping with
 * different values. A finding may span several fields, which a raw `|` cut apart.
 */
export interface JsonFinding {
  readonly state: 'whole' | 'broken' | 'ambiguous';
  readonly firstField: number;
  readonly lastField: number;
  /** The JSON as it stands before unescaping, or joined, escaped for a field; undefined where none could be made out. */
  readonly encoded: string | undefined;
}

/** How many fields, and characters of them, are joined in the search for the rest of a JSON argument. */
const MOST_JOINED = 16;
const LONGEST_JOINED = 1 << 18;

/** A longer field counts as whole unread: it is ten times as long as a request that servers take, which is told. */
const LONGEST_READ = 1 << 20;

/** True for a raw field that begins as only JSON does: `{"`, `{}`, `["`, `[{`, `[[`, `[]` or `[` and a digit. */
export function looksLikeJson(raw: string): boolean {
  return /^(?:\{["}]|\[["{[\]0-9])/.test(raw.slice(0, 2));
}

/** Reads the argument in a field as JSON; `before` is the first field that is no argument any more. */
export function readJsonField(text: string, line: AicfLine, field: number, before: number): JsonFinding {
  const raw = fieldSource(text, line, field);
  const alone = { firstField: field, lastField: field };
  const decoded = decodeField(raw);
  if (raw.length > LONGEST_READ) return { ...alone, state: 'whole', encoded: undefined };
  if (isJson(decoded)) {
    if (isAmbiguousJson(raw)) return { ...alone, state: 'ambiguous', encoded: encodeJson(raw) };
    return { ...alone, state: 'whole', encoded: undefined };
  }
  if (decoded !== raw && isJson(raw)) return { ...alone, state: 'broken', encoded: encodeJson(raw) };
  return findJoined(text, line, field, before) ?? { ...alone, state: 'broken', encoded: undefined };
}

function findJoined(text: string, line: AicfLine, field: number, before: number): JsonFinding | undefined {
  const start = (line.pipes[field] ?? line.end) + 1;
  const last = Math.min(before - 1, field + MOST_JOINED);
  for (let lastField = field + 1; lastField <= last; lastField++) {
    const joined = text.slice(start, line.pipes[lastField + 1] ?? line.end);
    if (joined.length > LONGEST_JOINED) return undefined;
    // JSON that begins with a bracket ends with one; anything else is not worth a reading.
    if (!/[}\]]\s*$/.test(joined.slice(-8))) continue;
    const json = [decodeField(joined), joined].find(isJson);
    if (json !== undefined)
      return { state: 'broken', firstField: field, lastField, encoded: encodeJson(json) };
  }
  return undefined;
}

/** True for a raw field that is JSON before and after unescaping, with different values. */
export function isAmbiguousJson(raw: string): boolean {
  const decoded = decodeField(raw);
  return decoded !== raw && isJson(decoded) && isJson(raw) && !isSameJson(raw, decoded);
}

/**
 * JSON as a field. Where the usual escaping would leave a field that is JSON before unescaping too, every escape
 * in the JSON is written `\uXXXX` instead: a field leaves that alone, so it means the same either way.
 */
export function encodeJson(json: string): string {
  const encoded = encodeField(json);
  if (!isAmbiguousJson(encoded)) return encoded;
  return json
    .replace(/\\(["\\/bfnrt])/g, (found, letter: string) =>
      toUnicodeEscape(JSON_ESCAPES.get(letter) ?? found),
    )
    .replace(/\|/g, toUnicodeEscape)
    .replace(/[\r\n]/g, ' ');
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
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text that is no JSON is what this function is asked about, and deep nesting is none that a reader takes.
    return false;
  }
}

function isSameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    // Values nested too deep to print are not compared: nothing certain can be said about them.
    return true;
  }
}

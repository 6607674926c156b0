import { findQuote, listDelimiters, parseJson } from '../core/text/json.ts';
import { SliceMeter } from '../core/text/slices.ts';

/** A value within a JSON text in its source form, which preserves all digits of numbers and the order of members. */
export interface JsonSlice {
  /** The name, if the value is a member of an object. */
  readonly name?: string;
  readonly text: string;
}

/**
 * The members of the object, or the items of the list, that a valid JSON text contains; nothing for other
 * values. If a name occurs twice, most readers use the last one. Linear in the text.
 */
export function* sliceJson(text: string): Generator<JsonSlice, void> {
  for (const slice of sliceJsonSteps(text)) if (slice) yield slice;
}

/** Like `sliceJson`, in slices of work: yields undefined at the end of each slice. */
export function* sliceJsonSteps(text: string): Generator<JsonSlice | undefined, void> {
  const meter = new SliceMeter();
  const isObject = /^[ \t\r\n]*\{/.test(text);
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  for (const { sign, at, end } of listDelimiters(text)) {
    if (meter.isPast(at)) yield undefined;
    if (sign === '"') {
      if (depth !== 1 || !isObject || name !== undefined) continue;
      name = String(parseJson(text.slice(at, end)));
      const colon = skipBlanks(text, end);
      start = text.charAt(colon) === ':' ? colon + 1 : end;
    } else if (sign === '{' || sign === '[') {
      if (depth++ === 0) start = end;
    } else if (depth === 1) {
      const slice = text.slice(start, at).trim();
      if (slice !== '') yield name === undefined ? { text: slice } : { name, text: slice };
      name = undefined;
      start = end;
    }
    if (sign === '}' || sign === ']') depth--;
  }
}

/** The offset of the next character that is not white space. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++;
  return at;
}

/** The source text of the last member of an object that has this name; undefined if there is none. */
export function sliceMember(text: string, name: string): string | undefined {
  let found: string | undefined;
  for (const slice of sliceJson(text)) if (slice.name === name) found = slice.text;
  return found;
}

/** A JSON text without white space between its tokens. */
export function withoutBlanks(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', at)) {
    const end = findQuote(text, quote);
    if (end < 0) break;
    parts.push(text.slice(at, quote).replace(BLANKS, ''), text.slice(quote, end + 1));
    at = end + 1;
  }
  return [...parts, text.slice(at).replace(BLANKS, '')].join('');
}

const BLANKS = /[ \t\r\n]+/g;

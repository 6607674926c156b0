import { findQuote, listSigns } from './json-signs.ts';
import { parseJson } from './json.ts';
import { SliceMeter } from './slices.ts';

/** A value within a text of JSON, as it is written: numbers keep all their digits, members their order. */
export interface JsonSlice {
  /** Of a member of an object. */
  readonly name?: string;
  readonly text: string;
}

/**
 * The members of an object, or the items of a list, of a text that is whole JSON; none of any other value. Of members with one name
 * the last one counts for most readers. Linear in the text.
 */
export function* sliceJson(text: string): Generator<JsonSlice, void> {
  for (const slice of sliceJsonSteps(text)) if (slice) yield slice;
}

/** The same in slices of work: undefined stands where one ends. */
export function* sliceJsonSteps(text: string): Generator<JsonSlice | undefined, void> {
  const meter = new SliceMeter();
  const isObject = /^[ \t\r\n]*\{/.test(text);
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  for (const { sign, at, end } of listSigns(text)) {
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

/** The next character that is no blank, from an offset on. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++;
  return at;
}

/** The last member of an object with a name, as it is written. */
export function sliceMember(text: string, name: string): string | undefined {
  let found: string | undefined;
  for (const slice of sliceJson(text)) if (slice.name === name) found = slice.text;
  return found;
}

/** A text of JSON without the blanks between its values. */
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

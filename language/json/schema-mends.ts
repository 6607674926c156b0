import { isRecord } from '../../core/guard.ts';
import { parseJson } from '../../core/text/json.ts';
import type { SchemaWords } from './schema-words.ts';

/** Longer lists of allowed values are left to completion. */
const MAX_VALUES = 5;
/** Longer values are not proposed. */
const LONGEST = 1_000;

/**
 * JSON that may replace a value with a violation: each of a few allowed values, a number, object and so on that
 * was written as a text, or a text that was written without quotes.
 */
export function listMends(source: string, { types = [], values = [] }: SchemaWords): readonly string[] {
  if (values.length > 0) {
    const written = values.length > MAX_VALUES ? [] : values.map(value => JSON.stringify(value));
    return written.filter(text => text.length <= LONGEST);
  }
  if (source.length > LONGEST) return [];
  const value = parseJson(source);
  if (typeof value !== 'string') {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    return isPlain && types.includes('string') ? [JSON.stringify(source)] : [];
  }
  const meant = parseJson(value);
  return types.some(type => IS_TYPE.get(type)?.(meant)) ? [value.trim()] : [];
}

const IS_TYPE: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  string,
  (value: unknown) => boolean
>([
  ['number', value => typeof value === 'number'],
  ['integer', value => Number.isInteger(value)],
  ['boolean', value => typeof value === 'boolean'],
  ['object', isRecord],
  ['array', value => Array.isArray(value)],
]);

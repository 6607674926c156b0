import { asList, readFields, type Fields } from '../../core/text/fields.ts';
import type { SpanAttribute } from './otlp-spans.ts';

/** The maximum nesting of attribute values; deeper ones are replaced by a text that says so. */
const DEEPEST = 64;

/**
 * Reads attributes of OTLP's JSON, `[{key, value: {stringValue: …}}]`, with each value as JSON text; others
 * are ignored.
 */
export function readAttributes(value: unknown): readonly SpanAttribute[] {
  return asList(value).flatMap(item => {
    const fields = readFields(item);
    const name = fields?.get('key');
    if (typeof name !== 'string') return [];
    return [{ name, json: printAnyValue(readFields(fields?.get('value'))) ?? 'null' }];
  });
}

/** A value of OTLP's JSON as JSON text; undefined if it has none. */
export function printAnyValue(fields: Fields | undefined, depth = 0): string | undefined {
  if (!fields) return undefined;
  if (depth > DEEPEST) return JSON.stringify(`nested more than ${DEEPEST} deep; left out`);
  for (const [name, value] of fields) {
    const print = PRINTERS.get(name.replaceAll('_', '').toLowerCase());
    if (print) return print(value, depth);
  }
  return 'null';
}

type Printer = (value: unknown, depth: number) => string | undefined;

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['stringvalue', printText],
  ['bytesvalue', printText],
  ['boolvalue', value => (typeof value === 'boolean' ? String(value) : undefined)],
  ['intvalue', printInteger],
  ['doublevalue', printDouble],
  ['arrayvalue', printArray],
  ['kvlistvalue', printDictionary],
]);

function printText(value: unknown): string | undefined {
  return typeof value === 'string' ? JSON.stringify(value) : undefined;
}

/** Prints an integer with all its digits: 64-bit integers are texts in OTLP, or two halves of 32 bits. */
function printInteger(value: unknown): string | undefined {
  if (typeof value === 'string')
    return /^-?\d{1,20}$/.test(value) ? String(BigInt(value)) : JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(BigInt(Math.trunc(value))) : undefined;
  const halves = readFields(value);
  const [low, high] = [halves?.get('low'), halves?.get('high')];
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return String((BigInt(high | 0) << 32n) | BigInt(low >>> 0));
}

/** Prints a double with a decimal point, so that it stays a double; values that JSON lacks become texts. */
function printDouble(value: unknown): string | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof value === 'string' && !Number.isFinite(number)) return JSON.stringify(value);
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const text = Object.is(number, -0) ? '-0' : String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function printArray(value: unknown, depth: number): string {
  const items = readFields(value)?.get('values');
  const texts = asList(items).map(item => printAnyValue(readFields(item), depth + 1) ?? 'null');
  return `[${texts.join(',')}]`;
}

function printDictionary(value: unknown, depth: number): string {
  const items = readFields(value)?.get('values');
  const texts = asList(items).flatMap(item => {
    const fields = readFields(item);
    const key = fields?.get('key');
    return typeof key === 'string'
      ? [`${JSON.stringify(key)}:${printAnyValue(readFields(fields?.get('value')), depth + 1) ?? 'null'}`]
      : [];
  });
  return `{${texts.join(',')}}`;
}

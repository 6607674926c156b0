import { parseJson } from '../../core/text/json.ts';

/** A value of an attribute in OTLP's JSON. */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }
  | { readonly kvlistValue: { readonly values: readonly KeyValue[] } }
  | Readonly<Record<string, never>>;

/** An attribute in OTLP's JSON. */
export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** The maximum nesting; deeper values stay JSON text. */
const DEEPEST = 64;

/** The number of characters of the longest integer of 64 bits. */
const LONGEST_INTEGER = 20;

/** The value of a JSON text; invalid JSON, and numbers that OTLP lacks, become strings. */
export function toAnyValue(json: string): AnyValue {
  const value = parseJson(json);
  if (typeof value === 'number') return toNumber(json, value);
  return value === undefined ? { stringValue: json } : (convert(value, 0) ?? { stringValue: json });
}

/** Retains all digits of an integer: of 64 bits as an integer, of more as a string. */
function toNumber(json: string, value: number): AnyValue {
  if (!/^-?\d+$/.test(json)) return Number.isFinite(value) ? { doubleValue: value } : { stringValue: json };
  const fits = json.length <= LONGEST_INTEGER && BigInt.asIntN(64, BigInt(json)) === BigInt(json);
  return fits ? { intValue: json } : { stringValue: json };
}

/** Undefined for a value that is nested too deeply. */
function convert(value: unknown, depth: number): AnyValue | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { stringValue: String(value) };
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) {
    const values = value.map(item => convert(item, depth + 1));
    return values.every(isThere) ? { arrayValue: { values } } : undefined;
  }
  if (typeof value !== 'object' || value === null) return {};
  const values = Object.entries(value).map(([key, item]) => ({ key, value: convert(item, depth + 1) }));
  return values.every(hasValue) ? { kvlistValue: { values } } : undefined;
}

function isThere(value: AnyValue | undefined): value is AnyValue {
  return value !== undefined;
}

function hasValue(entry: { readonly key: string; readonly value: AnyValue | undefined }): entry is KeyValue {
  return entry.value !== undefined;
}

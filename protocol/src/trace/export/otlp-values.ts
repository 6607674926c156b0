import { parseJson } from '../../text/json.ts';

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

/** Deeper values are kept as their JSON text. */
const DEEPEST = 64;

/** The value that a JSON text stands for; a text that is none is a string. */
export function toAnyValue(json: string): AnyValue {
  // An integer of 64 bits keeps all its digits.
  if (/^-?\d{1,19}$/.test(json)) return { intValue: json };
  const number = /^-?\d/.test(json) ? Number(json) : NaN;
  if (Number.isFinite(number)) return { doubleValue: number };
  const value = parseJson(json);
  return value === undefined ? { stringValue: json } : (convert(value, 0) ?? { stringValue: json });
}

/** Undefined where the value is nested too deep. */
function convert(value: unknown, depth: number): AnyValue | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
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

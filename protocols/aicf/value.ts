import type { AicfSide, AicfTypeName } from '../../core/catalog/aicf.ts';
import { JSON_NUMBER } from '../../core/text/json.ts';
import { isCertainJson, encodeJson, looksLikeJson } from '../../language/aicf/json-field.ts';
import { decodeField, escapeField } from '../../language/aicf/codec.ts';
import { listValue, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readStrictJson } from '../../language/values/json-reader.ts';
import type { TextFault } from '../../language/values/text-layer.ts';

/** The value of a field, and the parts of its JSON that were not read exactly. */
export interface FieldValue {
  /** Undefined for an empty field whose type has no empty value: the argument is absent. */
  readonly value: Value | undefined;
  readonly faults: Iterable<TextFault>;
  /** True for JSON whose sender did not escape it: valid as written, but not after unescaping. */
  readonly isUnescaped?: true;
}

const NO_FAULTS: readonly TextFault[] = [];

/** Reads a raw argument by the type that its tool declares (reading of AICF-RPC 2.1 and 2.2). */
export function readArgument(raw: string, type: AicfTypeName): FieldValue {
  if (raw === '' && type !== 'string' && type !== 'any') return { value: undefined, faults: NO_FAULTS };
  if (type !== 'string' && isJsonArgument(raw, type))
    return readJson(raw, 'request') ?? asText(raw, 'request');
  return type === 'array' ? { value: splitArray(raw), faults: NO_FAULTS } : asText(raw, 'request');
}

function isJsonArgument(raw: string, type: AicfTypeName): boolean {
  if (looksLikeJson(raw) || isCertainJson(raw, type)) return true;
  if (type === 'boolean') return raw === 'true' || raw === 'false';
  return (type === 'number' || type === 'integer') && JSON_NUMBER.test(raw);
}

/** Reads an array without brackets: `a,b,c`. */
function splitArray(raw: string): Value {
  return listValue(decodeField(raw, 'request').split(',').map(textValue));
}

/** Reads the raw data of `OK`: as JSON if possible, else as text. */
export function readData(raw: string): FieldValue {
  return readJson(raw, 'response') ?? asText(raw, 'response');
}

function asText(raw: string, side: AicfSide): FieldValue {
  return { value: textValue(decodeField(raw, side)), faults: NO_FAULTS };
}

/** Matches a text that may be JSON, by its first character after white space. */
const JSON_START = /^[ \t\n\r]*[{["\dtfn-]/;

function readJson(raw: string, side: AicfSide): FieldValue | undefined {
  const decoded = decodeField(raw, side);
  const read = readJsonText(decoded);
  if (read || decoded === raw) return read;
  const written = readJsonText(raw);
  return written && { ...written, isUnescaped: true };
}

function readJsonText(text: string): FieldValue | undefined {
  return JSON_START.test(text) ? readStrictJson(text) : undefined;
}

/** A value as a raw field; `isSame` is false if reading it back gives another value. */
export interface WrittenField {
  readonly raw: string;
  readonly isSame: boolean;
}

/** Writes an argument for the type that its tool declares. */
export function writeArgument(value: Value, type: AicfTypeName): WrittenField {
  const raw = plainArgument(value);
  if (comesBack(value, raw, type)) return { raw, isSame: true };
  if (value.kind === 'null' && readArgument('null', type).value?.kind === 'null')
    return { raw: 'null', isSame: true };
  if (type === 'object' && value.kind === 'text')
    return { raw: encodeJson(compactJson(value)), isSame: true };
  return { raw, isSame: false };
}

function plainArgument(value: Value): string {
  if (value.kind === 'text') return escapeField(value.text);
  return value.kind === 'null' ? '' : encodeJson(compactJson(value, 'digits'));
}

function comesBack(value: Value, raw: string, type: AicfTypeName): boolean {
  // A value serialized as JSON is restored by any type that is read as JSON.
  if (value.kind !== 'text') return type !== 'string' && raw !== '' && isJsonArgument(raw, type);
  const read = readArgument(raw, type).value;
  return read !== undefined && isSameValue(read, value);
}

/** How numbers in the JSON of a reply are printed: `written` for an agent's caller, as the agent wrote them. */
export type ReplyNumbers = 'digits' | 'written';

/** Writes the data of `OK`: a text that would be read as JSON is written as JSON. Reading always restores the value. */
export function writeData(value: Value, numbers: ReplyNumbers = 'digits'): string {
  if (value.kind !== 'text') return encodeJson(compactJson(value, numbers));
  const raw = escapeField(value.text);
  const mayBeJson = JSON_START.test(raw) || JSON_START.test(value.text);
  const { value: read } = mayBeJson ? readData(raw) : { value };
  return read && isSameValue(read, value) ? raw : encodeJson(compactJson(value));
}

/** Writes the text of a chunk: other values are written as JSON, and read back as that text. */
export function writeChunk(value: Value, numbers: ReplyNumbers = 'digits'): WrittenField {
  if (value.kind === 'text') return { raw: escapeField(value.text), isSame: true };
  return { raw: escapeField(compactJson(value, numbers)), isSame: false };
}

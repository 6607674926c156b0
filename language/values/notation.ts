import { findDtype } from '../../core/catalog/dtypes.ts';
import {
  dictValue,
  findEntry,
  floatValue,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { readTensor } from '../../tensor/read-tensor.ts';
import { encodeBase85 } from '../../tensor/base85.ts';
import { countElements } from '../../tensor/tensor.ts';
import { decodeBase64, encodeBase64 } from '../../core/text/base64.ts';

/**
 * The notation of a value in a format that lacks it: a dictionary with one key that starts with `$`
 * (docs/json-notation.md). A message's own dictionary of that form gets a second `$`, so that every value can
 * be read back.
 */
const NOTATION_KEY = /^\$(?:int|float|tensor|null)$/;
const ESCAPED_KEY = /^\$\$+(?:int|float|tensor|null)$/;
const LOOKALIKE_KEY = /^\$+(?:int|float|tensor|null)$/;

/**
 * Maximum number of digits of an integer in the notation, because parsing takes long; readers leave longer
 * ones as texts.
 */
export const LONGEST_INT = 100_000;

/** The value of which a dictionary is the notation, as a new object; otherwise the dictionary itself. */
export function readNotation(dict: DictValue): Value {
  const entry = dict.entries.length === 1 ? dict.entries[0] : undefined;
  if (!entry?.key.startsWith('$')) return dict;
  if (ESCAPED_KEY.test(entry.key)) return dictValue([{ ...entry, key: entry.key.slice(1) }]);
  return NOTATION_KEY.test(entry.key) ? (readNamed(entry.key, entry.value) ?? dict) : dict;
}

function readNamed(key: string, value: Value): Value | undefined {
  const text = textIn(value);
  switch (key) {
    case '$int':
      return text === undefined ? undefined : readInt(text);
    case '$float':
      return text === undefined ? undefined : readFloat(text);
    case '$null':
      return value.kind === 'bool' && value.bool ? { kind: 'null' } : undefined;
    default:
      return readTensorNotation(value);
  }
}

function readInt(text: string): Value | undefined {
  if (text.length > LONGEST_INT || !/^(?:0|-?[1-9][0-9]*)$/.test(text)) return undefined;
  return intValue(BigInt(text));
}

function readFloat(text: string): Value | undefined {
  if (text === 'nan') return floatValue(NaN);
  return /^-?inf$/.test(text) ? floatValue(text === 'inf' ? Infinity : -Infinity) : undefined;
}

/** The key of an entry as written: a key that would be read as notation gets another `$`. */
export function writeKey(dict: DictValue, key: string): string {
  return dict.entries.length === 1 && LOOKALIKE_KEY.test(key) ? `$${key}` : key;
}

/** Writes an integer of any size. */
export function writeBigInt(int: number | bigint): DictValue {
  return dictValue([{ key: '$int', value: textValue(String(int)) }]);
}

/** Writes NaN or an infinity. */
export function writeNonFinite(float: number): DictValue {
  const text = Number.isNaN(float) ? 'nan' : float > 0 ? 'inf' : '-inf';
  return dictValue([{ key: '$float', value: textValue(text) }]);
}

/** Writes null, for formats without it. */
export function writeNull(): DictValue {
  return dictValue([{ key: '$null', value: { kind: 'bool', bool: true } }]);
}

/** Writes a tensor: data type, shape and Base64 bytes; an unsound one with its LightAICL source. */
export function writeTensorNotation(source: string): DictValue {
  const tensor = readTensor(source);
  const inner = tensor
    ? [
        { key: 'dtype', value: textValue(tensor.dtype) },
        { key: 'shape', value: listValue(tensor.shape.map(intValue)) },
        { key: 'base64', value: textValue(encodeBase64(tensor.bytes)) },
      ]
    : [{ key: 'source', value: textValue(source) }];
  return dictValue([{ key: '$tensor', value: dictValue(inner) }]);
}

function readTensorNotation(value: Value): Value | undefined {
  if (value.kind !== 'dict') return undefined;
  const source = textIn(findEntry(value, 'source'));
  if (source !== undefined) return value.entries.length === 1 ? { kind: 'tensor', source } : undefined;
  const dtype = findDtype(textIn(findEntry(value, 'dtype')) ?? '');
  const shape = readShape(findEntry(value, 'shape'));
  const bytes = decodeBase64(textIn(findEntry(value, 'base64')) ?? '=');
  if (!dtype || !shape || !bytes || value.entries.length !== 3) return undefined;
  if (bytes.length !== countElements(shape) * dtype.bytes) return undefined;
  return { kind: 'tensor', source: `${dtype.name}:${shape.join(',')}:${encodeBase85(bytes)}` };
}

function readShape(value: Value | undefined): readonly number[] | undefined {
  if (value?.kind !== 'list') return undefined;
  const sizes = value.items.map(item => (item.kind === 'int' ? Number(item.int) : -1));
  return sizes.every(size => Number.isSafeInteger(size) && size >= 0) ? sizes : undefined;
}

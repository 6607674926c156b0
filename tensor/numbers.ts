import type { DtypeName } from '../core/catalog/dtypes.ts';
import { smallFloatTable } from './small-floats.ts';
import { elementSize, type Tensor } from './tensor.ts';
import { viewOf } from './elements.ts';

/** Elements as numbers, read in runs, for statistics and pictures, in which rounding of int64 is acceptable. */
export interface NumberSource {
  readonly dtype: DtypeName;
  /** The number of elements. */
  readonly length: number;
  /**
   * Writes the elements `[from, to)` to the start of `into`: a bool as 0 or 1, a 64-bit integer as the
   * nearest double, a complex number as its magnitude.
   */
  read(from: number, to: number, into: Float64Array): void;
  /** Reads a 64-bit integer exactly; absent for other types, whose numbers are already exact. */
  readonly exact?: (index: number) => bigint;
}

/** Bytes that can be read in parts. */
export interface Bytes {
  readonly byteLength: number;
  /** The bytes `[from, to)`. */
  read(from: number, to: number): Uint8Array;
}

/** The elements of a tensor that is in memory. */
export function numbersOf({ dtype, bytes }: Tensor): NumberSource {
  return numbersIn(dtype, {
    byteLength: bytes.length,
    read: (from, to) => bytes.subarray(from, to),
  });
}

/** The elements of one type in bytes that are read on demand. */
export function numbersIn(dtype: DtypeName, bytes: Bytes): NumberSource {
  const size = elementSize(dtype);
  return {
    dtype,
    length: Math.floor(bytes.byteLength / size),
    read: (from, to, into) => readNumbers(dtype, bytes.read(from * size, to * size), into),
    ...exactIn(dtype, index => viewOf({ bytes: bytes.read(index * size, index * size + size) })),
  };
}

function exactIn(dtype: DtypeName, view: (index: number) => DataView): Pick<NumberSource, 'exact'> {
  if (dtype === 'int64') return { exact: index => view(index).getBigInt64(0, true) };
  return dtype === 'uint64' ? { exact: index => view(index).getBigUint64(0, true) } : {};
}

/** Converts a run of bytes to elements in `into`; see `NumberSource.read`. */
export function readNumbers(dtype: DtypeName, bytes: Uint8Array, into: Float64Array): void {
  switch (dtype) {
    case 'bool':
      for (let at = 0; at < bytes.length; at++) into[at] = bytes[at] === 0 ? 0 : 1;
      return;
    case 'int64':
      return copyBigints(new BigInt64Array(aligned(bytes, 8)), into);
    case 'uint64':
      return copyBigints(new BigUint64Array(aligned(bytes, 8)), into);
    case 'float16':
    case 'bfloat16':
      return lookUp(smallFloatTable(dtype), new Uint16Array(aligned(bytes, 2)), into);
    case 'float8_e4m3fn':
    case 'float8_e5m2':
      return lookUp(smallFloatTable(dtype), bytes, into);
    case 'complex64':
      return copyMagnitudes(new Float32Array(aligned(bytes, 4)), into);
    case 'complex128':
      return copyMagnitudes(new Float64Array(aligned(bytes, 8)), into);
    case 'int8':
      return into.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
    case 'uint8':
      return into.set(bytes);
    case 'int16':
      return into.set(new Int16Array(aligned(bytes, 2)));
    case 'uint16':
      return into.set(new Uint16Array(aligned(bytes, 2)));
    case 'int32':
      return into.set(new Int32Array(aligned(bytes, 4)));
    case 'uint32':
      return into.set(new Uint32Array(aligned(bytes, 4)));
    case 'float32':
      return into.set(new Float32Array(aligned(bytes, 4)));
    case 'float64':
      return into.set(new Float64Array(aligned(bytes, 8)));
  }
}

/** Copies the bytes to a new buffer, because a typed array requires an alignment that a run may not have. */
function aligned(bytes: Uint8Array, size: number): ArrayBuffer {
  const whole = bytes.length - (bytes.length % size);
  return new Uint8Array(bytes.subarray(0, whole)).buffer;
}

function lookUp(table: Float32Array, codes: Uint8Array | Uint16Array, into: Float64Array): void {
  for (let at = 0; at < codes.length; at++) into[at] = table[codes[at] ?? 0] ?? Number.NaN;
}

function copyBigints(values: BigInt64Array | BigUint64Array, into: Float64Array): void {
  for (let at = 0; at < values.length; at++) into[at] = Number(values[at]);
}

function copyMagnitudes(parts: Float32Array | Float64Array, into: Float64Array): void {
  for (let at = 0; at * 2 < parts.length; at++)
    into[at] = Math.hypot(parts[at * 2] ?? 0, parts[at * 2 + 1] ?? 0);
}

/**
 * Tensor data types (reading of LightAICL 3.3). `npy` and `safetensors` are the little-endian type names in
 * those file formats; a missing name means that the format lacks the type.
 */
export const DTYPES = [
  {
    name: 'bool',
    kind: 'bool',
    bytes: 1,
    npy: '|b1',
    safetensors: 'BOOL',
    summary: 'One byte; true unless 0.',
  },
  { name: 'int8', kind: 'int', bytes: 1, npy: '|i1', safetensors: 'I8', summary: '8-bit signed integer.' },
  { name: 'int16', kind: 'int', bytes: 2, npy: '<i2', safetensors: 'I16', summary: '16-bit signed integer.' },
  { name: 'int32', kind: 'int', bytes: 4, npy: '<i4', safetensors: 'I32', summary: '32-bit signed integer.' },
  {
    name: 'int64',
    kind: 'bigint',
    bytes: 8,
    npy: '<i8',
    safetensors: 'I64',
    summary: '64-bit signed integer.',
  },
  { name: 'uint8', kind: 'int', bytes: 1, npy: '|u1', safetensors: 'U8', summary: '8-bit unsigned integer.' },
  {
    name: 'uint16',
    kind: 'int',
    bytes: 2,
    npy: '<u2',
    safetensors: 'U16',
    summary: '16-bit unsigned integer.',
  },
  {
    name: 'uint32',
    kind: 'int',
    bytes: 4,
    npy: '<u4',
    safetensors: 'U32',
    summary: '32-bit unsigned integer.',
  },
  {
    name: 'uint64',
    kind: 'bigint',
    bytes: 8,
    npy: '<u8',
    safetensors: 'U64',
    summary: '64-bit unsigned integer.',
  },
  {
    name: 'float16',
    kind: 'float',
    bytes: 2,
    npy: '<f2',
    safetensors: 'F16',
    summary: 'IEEE 754 half precision.',
  },
  { name: 'bfloat16', kind: 'float', bytes: 2, safetensors: 'BF16', summary: 'The upper half of a float32.' },
  {
    name: 'float32',
    kind: 'float',
    bytes: 4,
    npy: '<f4',
    safetensors: 'F32',
    summary: 'IEEE 754 single precision.',
  },
  {
    name: 'float64',
    kind: 'float',
    bytes: 8,
    npy: '<f8',
    safetensors: 'F64',
    summary: 'IEEE 754 double precision.',
  },
  {
    name: 'float8_e4m3fn',
    kind: 'float',
    bytes: 1,
    safetensors: 'F8_E4M3',
    summary: '8-bit float, 4 exponent and 3 mantissa bits, no infinities.',
  },
  {
    name: 'float8_e5m2',
    kind: 'float',
    bytes: 1,
    safetensors: 'F8_E5M2',
    summary: '8-bit float, 5 exponent and 2 mantissa bits.',
  },
  {
    name: 'complex64',
    kind: 'complex',
    bytes: 8,
    npy: '<c8',
    safetensors: 'C64',
    summary: 'Two float32: real, imaginary.',
  },
  { name: 'complex128', kind: 'complex', bytes: 16, npy: '<c16', summary: 'Two float64: real, imaginary.' },
] as const satisfies readonly DtypeRow[];

export interface DtypeRow {
  readonly name: string;
  /** How an element is represented: `int` as a number, `bigint` as a bigint because a number would round it. */
  readonly kind: 'bool' | 'int' | 'bigint' | 'float' | 'complex';
  /** The size of an element in bytes. */
  readonly bytes: number;
  /** The type string in NumPy array files. */
  readonly npy?: string;
  readonly safetensors?: string;
  readonly summary: string;
}

export type DtypeName = (typeof DTYPES)[number]['name'];

/** A row by its name; undefined if there is none. */
export function findDtype(name: string): (DtypeRow & { readonly name: DtypeName }) | undefined {
  return DTYPES.find(row => row.name === name);
}

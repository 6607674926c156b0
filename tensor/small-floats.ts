/** The format of a binary float of up to 16 bits: sign, exponent, mantissa. */
export interface SmallFloat {
  readonly mantissaBits: number;
  readonly exponentBits: number;
  /** The bits of infinity without the sign. Undefined if the type has no infinity; then only `nan` is not finite. */
  readonly infinity?: number;
  /** The bits of NaN that a conversion writes. */
  readonly nan: number;
}

/** Data types for which not every host has a typed array, by name. */
export const SMALL_FLOATS = {
  float16: { mantissaBits: 10, exponentBits: 5, infinity: 0x7c00, nan: 0x7e00 },
  bfloat16: { mantissaBits: 7, exponentBits: 8, infinity: 0x7f80, nan: 0x7fc0 },
  float8_e4m3fn: { mantissaBits: 3, exponentBits: 4, nan: 0x7f },
  float8_e5m2: { mantissaBits: 2, exponentBits: 5, infinity: 0x7c, nan: 0x7e },
} as const satisfies Readonly<Record<string, SmallFloat>>;

export type SmallFloatName = keyof typeof SMALL_FLOATS;

const TABLES = new Map<SmallFloatName, Float32Array>();

/** The value of each bit pattern: 256 or 65,536 numbers, which float32 represents exactly. */
export function smallFloatTable(name: SmallFloatName): Float32Array {
  const made = TABLES.get(name);
  if (made) return made;
  const format: SmallFloat = SMALL_FLOATS[name];
  const table = new Float32Array(2 ** (1 + format.exponentBits + format.mantissaBits));
  for (let bits = 0; bits < table.length; bits++) table[bits] = decode(format, bits);
  TABLES.set(name, table);
  return table;
}

function decode(format: SmallFloat, bits: number): number {
  const { mantissaBits, exponentBits, infinity, nan } = format;
  const half = 2 ** (mantissaBits + exponentBits);
  const sign = bits >= half ? -1 : 1;
  const magnitude = bits % half;
  if (magnitude === infinity) return sign * Infinity;
  if (magnitude > (infinity ?? nan - 1)) return Number.NaN;
  const exponent = magnitude >> mantissaBits;
  const mantissa = magnitude % 2 ** mantissaBits;
  const bias = biasOf(format);
  if (exponent === 0) return sign * mantissa * 2 ** (1 - bias - mantissaBits);
  return sign * (2 ** mantissaBits + mantissa) * 2 ** (exponent - bias - mantissaBits);
}

function biasOf({ exponentBits }: SmallFloat): number {
  return 2 ** (exponentBits - 1) - 1;
}

/**
 * The bits of the nearest number, ties to even (IEEE 754, 4.3.1). Values
 * out of range become infinity, or NaN if the type has no infinity.
 */
export function toSmallFloat(name: SmallFloatName, value: number): number {
  const format: SmallFloat = SMALL_FLOATS[name];
  const { mantissaBits, exponentBits, infinity, nan } = format;
  if (Number.isNaN(value)) return nan;
  const sign = value < 0 || Object.is(value, -0) ? 2 ** (mantissaBits + exponentBits) : 0;
  const overflow = infinity ?? nan;
  const size = Math.abs(value);
  if (size === Infinity) return sign + overflow;
  const bias = biasOf(format);
  const exponent = Math.max(exponentOf(size), 1 - bias);
  // Scaling by a power of two is exact; in the sum, an overflow of the mantissa carries into the exponent.
  const rounded = roundToEven(size * 2 ** (mantissaBits - exponent));
  return sign + Math.min((exponent + bias - 1) * 2 ** mantissaBits + rounded, overflow);
}

const SCRATCH = new DataView(new ArrayBuffer(8));

/** The exponent of a finite double; -1023 for zero and subnormal numbers. */
function exponentOf(value: number): number {
  SCRATCH.setFloat64(0, value);
  return ((SCRATCH.getUint16(0) >> 4) & 0x7ff) - 1023;
}

function roundToEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

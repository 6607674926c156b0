import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { exactDecimal, type Decimal } from '../core/text/exact-decimal.ts';
import { roundToOdd } from './round-to-odd.ts';
import { smallFloatTable, toSmallFloat, type SmallFloatName } from './small-floats.ts';
import { elementSize, type Tensor } from './tensor.ts';

/** The value of a complex element. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

/** The value of an element. int64 and uint64 are bigints, so that they are not rounded. */
export type Element = boolean | number | bigint | Complex;

/** Reads and writes one element, little-endian, at a byte offset. */
export interface ElementCodec {
  readonly read: (view: DataView, at: number) => Element;
  /**
   * Writes the nearest value of the type, ties to even. Integer types get the lowest bits of the integer
   * part, or 0 for NaN and infinities; bool is true unless the value is 0; real types get the real part. NaN
   * is written with the usual bits of the type.
   */
  readonly write: (view: DataView, at: number, value: Element) => void;
}

/** One codec for each data type. */
export const ELEMENTS = {
  bool: {
    read: (view, at) => view.getUint8(at) !== 0,
    write: (view, at, value) => view.setUint8(at, isTrue(value) ? 1 : 0),
  },
  int8: {
    read: (view, at) => view.getInt8(at),
    write: (view, at, value) => view.setInt8(at, toInteger(value)),
  },
  int16: {
    read: (view, at) => view.getInt16(at, true),
    write: (view, at, value) => view.setInt16(at, toInteger(value), true),
  },
  int32: {
    read: (view, at) => view.getInt32(at, true),
    write: (view, at, value) => view.setInt32(at, toInteger(value), true),
  },
  int64: {
    read: (view, at) => view.getBigInt64(at, true),
    write: (view, at, value) => view.setBigInt64(at, toBigInt(value), true),
  },
  uint8: {
    read: (view, at) => view.getUint8(at),
    write: (view, at, value) => view.setUint8(at, toInteger(value)),
  },
  uint16: {
    read: (view, at) => view.getUint16(at, true),
    write: (view, at, value) => view.setUint16(at, toInteger(value), true),
  },
  uint32: {
    read: (view, at) => view.getUint32(at, true),
    write: (view, at, value) => view.setUint32(at, toInteger(value), true),
  },
  uint64: {
    read: (view, at) => view.getBigUint64(at, true),
    write: (view, at, value) => view.setBigUint64(at, toBigInt(value), true),
  },
  float16: halfCodec('float16'),
  bfloat16: halfCodec('bfloat16'),
  float32: {
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => writeFloat32(view, at, toOddDouble(value)),
  },
  float64: {
    read: (view, at) => view.getFloat64(at, true),
    write: (view, at, value) => writeFloat64(view, at, Number(realPart(value))),
  },
  float8_e4m3fn: quarterCodec('float8_e4m3fn'),
  float8_e5m2: quarterCodec('float8_e5m2'),
  complex64: {
    read: (view, at) => ({ re: view.getFloat32(at, true), im: view.getFloat32(at + 4, true) }),
    write(view, at, value) {
      writeFloat32(view, at, toOddDouble(value));
      writeFloat32(view, at + 4, imaginaryPart(value));
    },
  },
  complex128: {
    read: (view, at) => ({ re: view.getFloat64(at, true), im: view.getFloat64(at + 8, true) }),
    write(view, at, value) {
      writeFloat64(view, at, Number(realPart(value)));
      writeFloat64(view, at + 8, imaginaryPart(value));
    },
  },
} as const satisfies Readonly<Record<DtypeName, ElementCodec>>;

/**
 * ECMAScript does not define the bits of a stored NaN. They are
 * written explicitly, so that equal elements have equal bytes.
 */
function writeFloat32(view: DataView, at: number, value: number): void {
  if (Number.isNaN(value)) view.setUint32(at, 0x7fc0_0000, true);
  else view.setFloat32(at, value, true);
}

function writeFloat64(view: DataView, at: number, value: number): void {
  if (Number.isNaN(value)) view.setBigUint64(at, 0x7ff8_0000_0000_0000n, true);
  else view.setFloat64(at, value, true);
}

function halfCodec(name: SmallFloatName): ElementCodec {
  return {
    read: (view, at) => smallFloatTable(name)[view.getUint16(at, true)] ?? Number.NaN,
    write: (view, at, value) => view.setUint16(at, toSmallFloat(name, toOddDouble(value)), true),
  };
}

function quarterCodec(name: SmallFloatName): ElementCodec {
  return {
    read: (view, at) => smallFloatTable(name)[view.getUint8(at)] ?? Number.NaN,
    write: (view, at, value) => view.setUint8(at, toSmallFloat(name, toOddDouble(value))),
  };
}

/** The real part of an element; a bool as 0 or 1. */
export function realPart(element: Element): number | bigint {
  if (typeof element === 'object') return element.re;
  return typeof element === 'boolean' ? Number(element) : element;
}

/** The imaginary part of an element; 0 if it is not complex. */
export function imaginaryPart(element: Element): number {
  return typeof element === 'object' ? element.im : 0;
}

function isTrue(element: Element): boolean {
  const real = realPart(element);
  return (typeof real === 'bigint' ? real !== 0n : real !== 0) || imaginaryPart(element) !== 0;
}

/** A number with the lowest 32 bits of an element, which the setters of `DataView` reduce further. */
function toInteger(element: Element): number {
  const real = realPart(element);
  return typeof real === 'bigint' ? Number(BigInt.asIntN(32, real)) : real;
}

/** The integer part of a number; 0 for NaN and infinities. */
function toBigInt(element: Element): bigint {
  const real = realPart(element);
  if (typeof real === 'bigint') return real;
  return Number.isFinite(real) ? BigInt(Math.trunc(real)) : 0n;
}

/** A double that rounds to a smaller type in the same way as the exact element. */
function toOddDouble(element: Element): number {
  const real = realPart(element);
  if (typeof real === 'number') return real;
  const nearest = Number(real);
  return roundToOdd(nearest, Number(real - BigInt(nearest)));
}

/** A view of the bytes of a tensor. */
export function viewOf({ bytes }: Pick<Tensor, 'bytes'>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The element at a row-major index. Throws a `RangeError` if it is outside of the tensor. */
export function readElement(tensor: Tensor, index: number): Element {
  return ELEMENTS[tensor.dtype].read(viewOf(tensor), index * elementSize(tensor.dtype));
}

/**
 * The bits of an element in hexadecimal with the highest ones first:
 * `0x3f800000`; for a complex number, the imaginary part comes first.
 */
export function bitsOf(tensor: Tensor, index: number): string {
  const size = elementSize(tensor.dtype);
  const bytes = tensor.bytes.subarray(index * size, (index + 1) * size).toReversed();
  return `0x${[...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** An element as exact text: the shortest decimal that reads back as the same value of its type. */
export function showElement(dtype: DtypeName, element: Element): string {
  if (typeof element === 'object') {
    const part = dtype === 'complex64' ? 'float32' : 'float64';
    const im = showFloat(part, element.im);
    return `${showFloat(part, element.re)}${im.startsWith('-') ? '' : '+'}${im}i`;
  }
  return typeof element === 'number' && findDtype(dtype)?.kind === 'float'
    ? showFloat(dtype, element)
    : String(element);
}

function showFloat(dtype: DtypeName, value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const text = shortestDecimal(dtype, value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

/** The number of digits that distinguish any two neighbours of a float32 or a smaller type. */
const MAX_DIGITS = 9;

/**
 * The decimal with the fewest digits that reads back as the same value, and of those the nearest one. For a
 * double, `String` returns it. For smaller floats the number of digits is found by binary search: if some
 * number of digits suffices, so do more.
 */
function shortestDecimal(dtype: DtypeName, value: number): string {
  const exact = dtype === 'float64' ? undefined : exactDecimal(value);
  if (!exact) return String(value);
  let shortest = value;
  let [low, high] = [1, Math.min(exact.digits.length, MAX_DIGITS + 1)];
  while (low < high) {
    const count = (low + high) >> 1;
    const found = roundedDecimals(exact, count).find(decimal => roundTo(dtype, decimal) === value);
    if (found === undefined) low = count + 1;
    else [shortest, high] = [found, count];
  }
  return String(shortest);
}

/** The two decimals with `count` digits around a longer one, the nearer one first; on a tie, the even one. */
function roundedDecimals({ isNegative, digits, exponent }: Decimal, count: number): readonly number[] {
  const low = Number(digits.slice(0, count));
  const rest = digits.slice(count);
  const power = exponent + rest.length;
  const isLowFirst = rest < '5' || (rest === '5' && low % 2 === 0);
  const around = [low, low + 1].map(whole => Number(`${isNegative ? '-' : ''}${whole}e${power}`));
  return isLowFirst ? around : around.toReversed();
}

const SCRATCH = new DataView(new ArrayBuffer(16));

/** Rounds a number to the nearest value of a real data type. */
export function roundTo(dtype: DtypeName, value: number): number {
  const codec: ElementCodec = ELEMENTS[dtype];
  codec.write(SCRATCH, 0, value);
  return Number(realPart(codec.read(SCRATCH, 0)));
}

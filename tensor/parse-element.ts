import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { countOf } from '../core/text/count.ts';
import { exactDecimal, isSameDecimal, readDecimal, type Decimal } from '../core/text/exact-decimal.ts';
import { quote } from '../core/text/quote.ts';
import { ELEMENTS, readElement, roundTo, showElement, type Element, type ElementCodec } from './elements.ts';
import { roundToOdd } from './round-to-odd.ts';
import { SMALL_FLOATS, smallFloatTable, type SmallFloatName } from './small-floats.ts';
import { elementSize } from './tensor.ts';

interface FoundElement {
  readonly kind: 'ok';
  /** The bytes of the element, little-endian. */
  readonly bytes: Uint8Array;
  /** False if the type cannot represent the number exactly; `shown` is the nearest value. */
  readonly isExact: boolean;
  readonly shown: string;
}

/** The element that a user wrote, or what is wrong with it. */
export type ParsedElement = FoundElement | { readonly kind: 'fault'; readonly problem: string };

/** The maximum length of the input; no double has that many digits. */
const LONGEST = 1_000;

/**
 * Parses user input for one element: `-12`, `true`, `1.5e-3`, `inf`, `nan`, `1+2i` or `1+2j`, or all bits of
 * the element in the form of `bitsOf`: `0x7fc00001`. A decimal is rounded once to the nearest element, ties
 * to even; a value out of range is a fault.
 */
export function parseElement(dtype: DtypeName, text: string): ParsedElement {
  const typed = text.trim().replaceAll('−', '-');
  if (typed.length > LONGEST)
    return fault(`An element of more than ${countOf(LONGEST, 'character')} is not read`);
  if (/^0x/i.test(typed)) return parseBits(dtype, typed);
  switch (findDtype(dtype)?.kind) {
    case 'bool':
      return parseBool(typed);
    case 'int':
    case 'bigint':
      return parseInteger(dtype, typed);
    case 'complex':
      return parseComplex(dtype, typed);
    default:
      return parseReal(dtype, typed);
  }
}

function fault(problem: string): ParsedElement {
  return { kind: 'fault', problem };
}

function hexDigits(dtype: DtypeName): number {
  return elementSize(dtype) * 2;
}

function parseBits(dtype: DtypeName, typed: string): ParsedElement {
  const digits = typed.slice(2);
  const wanted = hexDigits(dtype);
  if (!/^[0-9a-f]*$/i.test(digits)) return fault(`${quote(typed)} is not a hexadecimal number`);
  if (digits.length !== wanted)
    return fault(
      `The bits of ${dtype} are ${countOf(wanted, 'digit')} after 0x; ${quote(typed)} has ${digits.length}`,
    );
  const bytes = Uint8Array.from({ length: wanted / 2 }, (_, at) =>
    Number.parseInt(digits.slice(wanted - 2 * at - 2, wanted - 2 * at), 16),
  );
  const shown = showElement(dtype, readElement({ dtype, shape: [], bytes }, 0));
  return { kind: 'ok', bytes, isExact: true, shown };
}

function parseBool(typed: string): ParsedElement {
  if (/^(true|1)$/i.test(typed)) return written('bool', true);
  if (/^(false|0)$/i.test(typed)) return written('bool', false);
  return fault(`${quote(typed)} is neither true nor false`);
}

/** An element that its type represents exactly. */
function written(dtype: DtypeName, element: Element): FoundElement {
  const bytes = new Uint8Array(elementSize(dtype));
  const codec: ElementCodec = ELEMENTS[dtype];
  codec.write(new DataView(bytes.buffer), 0, element);
  return { kind: 'ok', bytes, isExact: true, shown: showElement(dtype, element) };
}

function parseInteger(dtype: DtypeName, typed: string): ParsedElement {
  const bits = BigInt(elementSize(dtype) * 8);
  const isSigned = dtype.startsWith('int');
  const low = isSigned ? -(2n ** (bits - 1n)) : 0n;
  const high = low + 2n ** bits - 1n;
  if (!/^[+-]?\d+$/.test(typed))
    return fault(
      `${quote(typed)} is not an integer: ${dtype} takes ${low} to ${high}, or its bits as 0x and ${hexDigits(dtype)} digits`,
    );
  const value = BigInt(typed.replace('+', ''));
  if (value < low || value > high) return fault(`${shorten(typed)} does not fit ${dtype}: ${low} to ${high}`);
  return written(dtype, bits === 64n ? value : Number(value));
}

function parseReal(dtype: DtypeName, typed: string): ParsedElement {
  const part = parsePart(dtype, typed);
  if (part.kind === 'fault') return part;
  return { ...written(dtype, part.stored), isExact: part.isExact };
}

type ParsedPart =
  | { readonly kind: 'ok'; readonly stored: number; readonly isExact: boolean }
  | { readonly kind: 'fault'; readonly problem: string };

const PART = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan`;
const REAL = new RegExp(`^(?!-nan)[+-]?(?:${PART})$`, 'i');
/** A real part, an imaginary part with its unit, or both with a sign in between. */
const COMPLEX = new RegExp(`^([+-]?(?:${PART}))?(?:((?:^|[+-])(?:${PART}))[ij])?$`, 'i');

/**
 * Parses `1+2i`, `2j` or `1`; blanks around the sign and
 * brackets around the number are allowed, as Python prints it.
 */
function parseComplex(dtype: DtypeName, typed: string): ParsedElement {
  const plain = typed
    .replace(/^\((.*)\)$/, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ ?([+-]) ?/g, '$1');
  const found = COMPLEX.exec(plain);
  const [, re, im] = found ?? [];
  if (re === undefined && im === undefined) return fault(noNumber(dtype, typed));
  const part = dtype === 'complex64' ? 'float32' : 'float64';
  const [real, imaginary] = [parsePart(part, re ?? '0'), parsePart(part, im ?? '0')];
  if (real.kind === 'fault') return real;
  if (imaginary.kind === 'fault') return imaginary;
  const isExact = real.isExact && imaginary.isExact;
  return { ...written(dtype, { re: real.stored, im: imaginary.stored }), isExact };
}

/** Parses a number of a float type with a single rounding. */
function parsePart(dtype: DtypeName, typed: string): ParsedPart {
  if (!REAL.test(typed)) return { kind: 'fault', problem: noNumber(dtype, typed) };
  if (/nan$/i.test(typed)) return { kind: 'ok', stored: Number.NaN, isExact: true };
  if (/inf/i.test(typed)) {
    const stored = roundTo(dtype, typed.startsWith('-') ? -Infinity : Infinity);
    return Number.isNaN(stored)
      ? { kind: 'fault', problem: `${dtype} has no infinity: ${rangeOf(dtype)}` }
      : { kind: 'ok', stored, isExact: true };
  }
  const decimal = readDecimal(typed);
  if (!decimal) return { kind: 'fault', problem: noNumber(dtype, typed) };
  const stored = roundTo(dtype, nearestDouble(dtype, typed, decimal));
  if (!Number.isFinite(stored))
    return { kind: 'fault', problem: `${shorten(typed)} does not fit ${dtype}: ${rangeOf(dtype)}` };
  const same = [readDecimal(showElement(dtype, stored)), exactDecimal(stored)];
  return { kind: 'ok', stored, isExact: same.some(known => known && isSameDecimal(known, decimal)) };
}

/** A double that rounds to the type in the same way as the exact decimal. */
function nearestDouble(dtype: DtypeName, typed: string, decimal: Decimal): number {
  const nearest = Number(typed);
  const exact = exactDecimal(nearest);
  if (dtype === 'float64' || !exact) return nearest;
  const away = compareSizes(decimal, exact);
  return roundToOdd(nearest, decimal.isNegative ? -away : away);
}

/** Compares two magnitudes: negative, 0 or positive if the first is smaller, equal or larger. */
function compareSizes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  const points = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (points !== 0) return points;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

function noNumber(dtype: DtypeName, typed: string): string {
  const example = findDtype(dtype)?.kind === 'complex' ? ' such as 1.5-2i' : ' such as -1.5e-3';
  return `${quote(typed)} is not a number${example}; nor bits, which are 0x and ${hexDigits(dtype)} digits`;
}

function rangeOf(dtype: DtypeName): string {
  const most = showElement(dtype, largestOf(dtype));
  return `-${most} to ${most}`;
}

/** The largest finite number of a float type. */
function largestOf(dtype: DtypeName): number {
  if (dtype === 'float64') return Number.MAX_VALUE;
  if (dtype === 'float32') return (2 - 2 ** -23) * 2 ** 127;
  const table: Iterable<number> = isSmallFloat(dtype) ? smallFloatTable(dtype) : [];
  let most = 0;
  for (const value of table) if (value > most && value < Infinity) most = value;
  return most;
}

/** Shortens a long number for a message. */
function shorten(typed: string): string {
  return typed.length > 40 ? `${typed.slice(0, 40)}…` : typed;
}

function isSmallFloat(dtype: DtypeName): dtype is SmallFloatName {
  return dtype in SMALL_FLOATS;
}

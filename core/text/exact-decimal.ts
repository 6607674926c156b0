import { trimEndOf, trimOf } from './trim.ts';

/** A decimal number: its digits without leading or trailing zeros, and the power of ten of the last digit. */
export interface Decimal {
  readonly isNegative: boolean;
  /** Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** The exact value of a double with all of its digits, at most 767. Undefined for infinities and NaN. */
export function exactDecimal(value: number): Decimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  const isNegative = value < 0 || Object.is(value, -0);
  let mantissa = Math.abs(value);
  let exponent = 0;
  // Multiplying by two is exact because the value stays within the range of doubles.
  while (mantissa !== Math.floor(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  const digits = exponent < 0 ? BigInt(mantissa) * 5n ** BigInt(-exponent) : BigInt(mantissa);
  return { isNegative, ...trimZeros(digits.toString(), exponent) };
}

/** The exact value of a decimal literal; undefined for other texts and for literals above `LONGEST_LITERAL`. */
export function readDecimal(literal: string): Decimal | undefined {
  if (literal.length > LONGEST_LITERAL) return undefined;
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(literal);
  const [, sign, whole = '', fraction = '', power = '0'] = found ?? [];
  if (!found || whole + fraction === '') return undefined;
  return { isNegative: sign === '-', ...trimZeros(whole + fraction, Number(power) - fraction.length) };
}

const LONGEST_LITERAL = 1_000;

function trimZeros(source: string, power: number): Omit<Decimal, 'isNegative'> {
  const digits = trimOf(source, '0');
  if (digits === '') return { digits, exponent: 0 };
  const zeros = source.length - trimEndOf(source, '0').length;
  return { digits, exponent: power + zeros };
}

/** True if both are the same number; 0 and -0 differ. */
export function isSameDecimal(a: Decimal, b: Decimal): boolean {
  return a.isNegative === b.isNegative && a.digits === b.digits && a.exponent === b.exponent;
}

/** Prints a number with at most `most` digits, in exponent notation if it would be long; `…` marks omitted digits. */
export function showDecimal({ isNegative, digits, exponent }: Decimal, most: number): string {
  const sign = isNegative ? '-' : '';
  if (digits === '') return `${sign}0.0`;
  const shown = digits.length > most ? `${digits.slice(0, most)}…` : digits;
  const point = digits.length + exponent;
  if (point > most || point < -6) {
    return `${sign}${shown.slice(0, 1)}${shown.length > 1 ? `.${shown.slice(1)}` : ''}e${point - 1}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${shown}`;
  const padded = shown.padEnd(point, '0');
  return `${sign}${padded.slice(0, point)}.${padded.slice(point) || '0'}`;
}

/** This many digits distinguish any two doubles; printers of other languages use them. */
const MAX_DIGITS = 17;
/** Numbers with up to this many digits are preserved by a double, unless the exponent is near the limits. */
const SAFE_DIGITS = 15;

/**
 * Prints a finite double for AICL and JSON: the shortest text that reads back to it, never in the form of an
 * integer.
 */
export function printFloat(float: number): string {
  const text = String(float);
  if (!Number.isInteger(float) || text.includes('e')) return text;
  return Object.is(float, -0) ? '-0.0' : `${text}.0`;
}

/** True if a float is printed differently from its JSON literal. */
export function isWrittenOtherwise(literal: string, float: number): boolean {
  // A quick check by form, which covers most literals.
  if (literal.length <= SAFE_DIGITS && !/[eE]|[^.]0$|^-?0\.0{5}/.test(literal)) return false;
  return !Number.isFinite(float) || literal !== printFloat(float);
}

/**
 * True for a literal whose double has another value. Literals that are the exact value of the double, or its
 * shortest or 17-digit text, do not count as rounded.
 */
export function isRoundedFloat(literal: string, float: number): boolean {
  if (literal.length <= SAFE_DIGITS && !/[eE]/.test(literal)) return false;
  if (!Number.isFinite(float)) return true;
  if (literal === String(float)) return false;
  const written = readDecimal(literal);
  if (!written) return true;
  const same = [readDecimal(String(float)), readDecimal(float.toPrecision(MAX_DIGITS)), exactDecimal(float)];
  return !same.some(known => known && isSameDecimal(known, written));
}

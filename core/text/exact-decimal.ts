import { trimEndOf, trimOf } from './trim.ts';

/** A number in decimal: its digits without zeros at either end, and the power of ten of the last one. */
export interface Decimal {
  readonly isNegative: boolean;
  /** Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** The value that a double has, with all its digits: at most 767 of them. Undefined for infinities and NaN. */
export function exactDecimal(value: number): Decimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  const isNegative = value < 0 || Object.is(value, -0);
  let mantissa = Math.abs(value);
  let exponent = 0;
  // Powers of two are exact both ways as long as nothing leaves the range.
  while (mantissa !== Math.floor(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  const digits = exponent < 0 ? BigInt(mantissa) * 5n ** BigInt(-exponent) : BigInt(mantissa);
  return { isNegative, ...trimZeros(digits.toString(), exponent) };
}

/** The value that a literal in decimal writes, exactly; undefined for other texts and for very long ones. */
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

/** True for the same number; the sign of zero counts. */
export function isSameDecimal(a: Decimal, b: Decimal): boolean {
  return a.isNegative === b.isNegative && a.digits === b.digits && a.exponent === b.exponent;
}

/** A number as people read it, with an exponent where it would be long; digits past `most` are left out, and `…` says so. */
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

import { exactDecimal, isSameDecimal, readDecimal } from '../../core/text/exact-decimal.ts';

/** This many digits distinguish any two doubles; printers of other languages use them. */
const MAX_DIGITS = 17;
/** Numbers with up to this many digits are preserved by a double, unless the exponent is near the limits. */
const SAFE_DIGITS = 15;

/**
 * Prints a finite double for AICL and JSON: the shortest text that reads back to it, never in the form of an
 * integer.
 */
export function printFloat(float: number): string {
  const text = Object.is(float, -0) ? '-0' : String(float);
  return Number.isInteger(float) && !text.includes('e') ? `${text}.0` : text;
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

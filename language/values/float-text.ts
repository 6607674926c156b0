import { exactDecimal, isSameDecimal, readDecimal } from '../../core/text/exact-decimal.ts';

/** So many digits tell any two doubles apart: what printers of other languages write. */
const MOST_DIGITS = 17;
/** So many digits any double keeps, if its exponent is not near the ends. */
const SAFE_DIGITS = 15;

/** A finite double as AICL and JSON print it: the shortest text that reads back to it, and never that of an integer. */
export function printFloat(float: number): string {
  const text = Object.is(float, -0) ? '-0' : String(float);
  return Number.isInteger(float) && !text.includes('e') ? `${text}.0` : text;
}

/** True where a float is printed otherwise than a literal of JSON says it. */
export function isWrittenOtherwise(literal: string, float: number): boolean {
  // Most are not, and are known by their form.
  if (literal.length <= SAFE_DIGITS && !/[eE]|[^.]0$|^-?0\.0{5}/.test(literal)) return false;
  return !Number.isFinite(float) || literal !== printFloat(float);
}

/**
 * True for a literal whose double has another value: one that is neither the double's own, nor what a printer writes for
 * it, shortest or with 17 digits.
 */
export function isRoundedFloat(literal: string, float: number): boolean {
  if (literal.length <= SAFE_DIGITS && !/[eE]/.test(literal)) return false;
  if (!Number.isFinite(float)) return true;
  if (literal === String(float)) return false;
  const written = readDecimal(literal);
  if (!written) return true;
  const same = [readDecimal(String(float)), readDecimal(float.toPrecision(MOST_DIGITS)), exactDecimal(float)];
  return !same.some(known => known && isSameDecimal(known, written));
}

import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { showElement } from '../../../tensor/elements.ts';

/** The number of digits of a mean or a difference in text output; JSON has all digits. */
const DIGITS = 6;

/** From here on a number is written with an exponent, because trailing zeros would look like significant digits. */
const LARGE = 1e15;

/** A computed number in text output, rounded to six digits. */
export function showRounded(value: number): string {
  if (!Number.isFinite(value)) return showElement('float64', value);
  const rounded = Number(value.toPrecision(DIGITS));
  return Math.abs(rounded) < LARGE ? showElement('float64', rounded) : rounded.toExponential();
}

/** The exact text of an element of a tensor, or of the magnitude of a complex one; `none` for undefined. */
export function showExtreme(dtype: DtypeName, value: number | bigint | undefined): string {
  if (value === undefined) return 'none';
  return showElement(dtype.startsWith('complex') ? 'float64' : dtype, value);
}

/**
 * A number in JSON. Numbers that JSON cannot hold become strings: `nan`, `inf`, `-inf`, and integers past
 * 2^53 in full.
 */
export function toJsonNumber(value: number | bigint | undefined): number | string | null {
  if (value === undefined) return null;
  if (typeof value === 'bigint') {
    const isExact = BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value));
    return isExact ? Number(value) : String(value);
  }
  return Number.isFinite(value) ? value : showElement('float64', value);
}

import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { showElement } from '../../../tensor/elements.ts';

/** So many digits of a mean or a difference are printed in lines for people; JSON has them all. */
const DIGITS = 6;

/** From here on a number is written with an exponent: the zeros behind its digits would pass for digits. */
const LARGE = 1e15;

/** A number that was computed, for people. */
export function showRounded(value: number): string {
  if (!Number.isFinite(value)) return showElement('float64', value);
  const rounded = Number(value.toPrecision(DIGITS));
  return Math.abs(rounded) < LARGE ? showElement('float64', rounded) : rounded.toExponential();
}

/** An element of a tensor, or the magnitude of a complex one, exactly; `none` where there is none. */
export function showExtreme(dtype: DtypeName, value: number | bigint | undefined): string {
  if (value === undefined) return 'none';
  return showElement(dtype.startsWith('complex') ? 'float64' : dtype, value);
}

/** A number as JSON can hold it: what it cannot is a text, `nan`, `inf`, `-inf`, or an integer past 2^53 in full. */
export function toJsonNumber(value: number | bigint | undefined): number | string | null {
  if (value === undefined) return null;
  if (typeof value === 'bigint') {
    const isExact = BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value));
    return isExact ? Number(value) : String(value);
  }
  return Number.isFinite(value) ? value : showElement('float64', value);
}

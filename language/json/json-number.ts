/** Digits that any double keeps. */
const SAFE_DIGITS = 15;

/**
 * What a reader that holds numbers as doubles, as most do, makes of a number of JSON: undefined where it keeps the value.
 * Fractions are rounded by every reader, and not told.
 */
export function roundedNumber(literal: string): string | undefined {
  if (literal.length <= SAFE_DIGITS && !/[eE]/.test(literal)) return undefined;
  const value = Number(literal);
  if (!Number.isFinite(value)) return String(value);
  if (!/^-?[0-9]+$/.test(literal)) return undefined;
  const rounded = BigInt(value);
  return rounded === BigInt(literal) ? undefined : String(rounded);
}

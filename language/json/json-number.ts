/** Numbers with up to this many digits are exact in a double. */
const SAFE_DIGITS = 15;

/**
 * The value that a reader with doubles, as in most languages, gets for a JSON number; undefined if it is the
 * same. The rounding of fractions is not reported, because all readers do it.
 */
export function roundedNumber(literal: string): string | undefined {
  if (literal.length <= SAFE_DIGITS && !/[eE]/.test(literal)) return undefined;
  const value = Number(literal);
  if (!Number.isFinite(value)) return String(value);
  if (!/^-?[0-9]+$/.test(literal)) return undefined;
  const rounded = BigInt(value);
  return rounded === BigInt(literal) ? undefined : String(rounded);
}

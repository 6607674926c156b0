const SCRATCH = new DataView(new ArrayBuffer(8));

/**
 * Rounds to odd, for a number that is then rounded to a smaller type. `nearest` is the double nearest to the
 * number; `side` is negative, 0 or positive if the number is below, at or above it. Of the two doubles around
 * the number, the one with the odd mantissa is never halfway between two values of a smaller type, so the
 * second rounding gives the same result as a direct one (Boldo and Melquiond, 2008).
 */
export function roundToOdd(nearest: number, side: number): number {
  if (side === 0 || !Number.isFinite(nearest)) return nearest;
  if (nearest === 0) return side > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  SCRATCH.setFloat64(0, nearest);
  const bits = SCRATCH.getBigUint64(0);
  if (bits % 2n === 1n) return nearest;
  // For doubles of the same sign, the bits have the same order as the magnitudes.
  SCRATCH.setBigUint64(0, side > 0 === nearest > 0 ? bits + 1n : bits - 1n);
  return SCRATCH.getFloat64(0);
}

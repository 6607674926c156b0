const SCRATCH = new DataView(new ArrayBuffer(8));

/**
 * The double that stands for a number which is rounded once more, to a smaller type. `nearest` is the double nearest to
 * the number, `side` is negative, 0 or positive as the number lies below, at or above it. Of the two doubles around a
 * number the odd one is never halfway between two numbers of a type with fewer than 52 bits: what is rounded twice goes
 * where it would go at once (Boldo and Melquiond, 2008).
 */
export function roundToOdd(nearest: number, side: number): number {
  if (side === 0 || !Number.isFinite(nearest)) return nearest;
  if (nearest === 0) return side > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  SCRATCH.setFloat64(0, nearest);
  const bits = SCRATCH.getBigUint64(0);
  if (bits % 2n === 1n) return nearest;
  // The bits of doubles of one sign are ordered as their sizes are.
  SCRATCH.setBigUint64(0, side > 0 === nearest > 0 ? bits + 1n : bits - 1n);
  return SCRATCH.getFloat64(0);
}

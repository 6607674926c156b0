/** A timer of Node's holds 31 bits of milliseconds; a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The nearest time that a timer of Node's holds. */
export function capTimer(milliseconds: number): number {
  return Math.max(0, Math.min(milliseconds, LONGEST_TIMER));
}

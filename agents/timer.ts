/** The longest delay of a Node timer in milliseconds (31 bits); a timer with a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The nearest delay that a Node timer supports. */
export function capTimer(milliseconds: number): number {
  return Math.max(0, Math.min(milliseconds, LONGEST_TIMER));
}

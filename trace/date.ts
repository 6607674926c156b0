/** The furthest time that a date can say, in milliseconds from 1970. */
const FURTHEST = 8.64e15;

/** A time in milliseconds since 1970 as ISO 8601 writes it; one that no date can say as the nearest that it can. */
export function printDate(at: number): string {
  return new Date(Math.max(-FURTHEST, Math.min(FURTHEST, at))).toISOString();
}

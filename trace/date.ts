/** The largest time that a `Date` can represent, in milliseconds from 1970. */
const FURTHEST = 8.64e15;

/** A time in milliseconds since 1970 in ISO 8601; times out of range become the nearest possible one. */
export function printDate(at: number): string {
  return new Date(Math.max(-FURTHEST, Math.min(FURTHEST, at))).toISOString();
}

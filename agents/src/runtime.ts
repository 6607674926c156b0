import { randomBytes } from 'node:crypto';
import type { IdSource } from './tracked.ts';

/** Random ids in the form of W3C trace context. */
export const RANDOM_IDS: IdSource = {
  newTrace: () => randomBytes(16).toString('hex'),
  newCall: () => randomBytes(8).toString('hex'),
};

/** Milliseconds since 1970 with fractions, from a clock that does not jump while the process runs. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

import { randomUUID } from 'node:crypto';
import type { IdSource } from './tracked.ts';

/**
 * Random ids in the form of W3C trace context, from UUIDs, whose random bits Node caches. Six bits of each
 * are fixed.
 */
export const RANDOM_IDS: IdSource = {
  newTrace: newDigits,
  newCall: () => newDigits().slice(16),
};

function newDigits(): string {
  return randomUUID().replaceAll('-', '');
}

/** The difference to the wall clock in milliseconds from which the monotonic clock is set anew. */
const MAX_DRIFT = 1_000;

let origin = performance.timeOrigin;

/**
 * Milliseconds since 1970 with fractions. The clock is monotonic and equal in all threads of the process until it
 * differs from the wall clock by `MAX_DRIFT`, because the computer slept (which a monotonic clock does not count) or
 * its clock was set. Then it follows the wall clock.
 */
export function now(): number {
  const time = origin + performance.now();
  const drift = Date.now() - time;
  if (Math.abs(drift) < MAX_DRIFT) return time;
  origin += drift;
  return time + drift;
}

import { randomUUID } from 'node:crypto';
import type { IdSource } from './tracked.ts';

/** Random ids in the form of W3C trace context: of a UUID, of which Node keeps random bits for many, six bits are fixed. */
export const RANDOM_IDS: IdSource = {
  newTrace: newDigits,
  newCall: () => newDigits().slice(16),
};

function newDigits(): string {
  return randomUUID().replaceAll('-', '');
}

/** Milliseconds since 1970 with fractions, from a clock that does not jump while the process runs. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

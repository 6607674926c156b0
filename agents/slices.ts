import { setImmediate } from 'node:timers/promises';
import { runInSlices } from '../core/text/slices.ts';

/** What bounds the reading of a reply. */
export interface ReadingLimits {
  /** Any of them ends it. */
  readonly signals: readonly AbortSignal[];
  /** By when it has to be over, on the clock of `performance.now`; undefined without a limit. */
  readonly deadline: number | undefined;
}

/** For a reply of a call that has ended already: it is read as far as it came. */
export const UNLIMITED: ReadingLimits = { signals: [], deadline: undefined };

/** The result of reading a reply, or why it was ended before that. */
export type ReadingEnd<T> =
  { readonly ended: 'read'; readonly result: T } | { readonly ended: 'cancelled' | 'timeout' };

/** Reads a reply in slices of a few milliseconds, so that the time-out and the user can end it. */
export async function readWithin<T>(
  work: Generator<unknown, T>,
  { signals, deadline = Infinity }: ReadingLimits,
): Promise<ReadingEnd<T>> {
  const findEnd = (): 'cancelled' | 'timeout' | undefined =>
    signals.some(signal => signal.aborted)
      ? 'cancelled'
      : performance.now() > deadline
        ? 'timeout'
        : undefined;
  let ended: 'cancelled' | 'timeout' | undefined;
  const result = await runInSlices(work, {
    now: () => performance.now(),
    yieldToQueue: () => setImmediate(),
    isStopped: () => (ended = findEnd()) !== undefined,
  });
  return result ? { ended: 'read', ...result } : { ended: ended ?? 'cancelled' };
}

import { setImmediate } from 'node:timers/promises';
import { runInSlices } from '../core/text/slices.ts';

/** The limits for reading a reply. */
export interface ReadingLimits {
  /** Reading ends when any of them is aborted. */
  readonly signals: readonly AbortSignal[];
  /** When reading has to end, on the clock of `performance.now`; undefined without a limit. */
  readonly deadline: number | undefined;
}

/** For the reply of a call that has already ended: all that was received is read. */
export const UNLIMITED: ReadingLimits = { signals: [], deadline: undefined };

/** The result of reading a reply, or why reading ended early. */
export type ReadingEnd<T> =
  | { readonly ended: 'read'; readonly result: T }
  | { readonly ended: 'cancelled' | 'timeout' };

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

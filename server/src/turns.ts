import type { Runtime } from './runtime.ts';

/**
 * Creates a function that yields to messages that have already arrived. Callers that wait at the same time
 * continue one by one, each after a turn of its own, so that a message received during the first is processed
 * before the second. `wait` must call back after the queued messages have been processed.
 */
export function takeTurns(wait: (callback: () => void) => void): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) wait(next);
  };
  return () =>
    new Promise(resolve => {
      if (waiting.push(resolve) === 1) wait(next);
    });
}

/** Time in a process and in a worker. A timer of 0 ms lets the messages that wait be delivered first, unlike `setImmediate`. */
export const TIMERS: Pick<Runtime, 'yieldToQueue' | 'startTimer' | 'now'> = {
  yieldToQueue: takeTurns(callback => setTimeout(callback, 0)),
  startTimer(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
  now: () => performance.now(),
};

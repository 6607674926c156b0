/**
 * Turns for work that yields: each waits once for the messages that have already arrived, and pieces of work that wait
 * together go one by one, so that a message that came during the first is seen before the second. `wait` calls back
 * after the messages in the queue had their turn.
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

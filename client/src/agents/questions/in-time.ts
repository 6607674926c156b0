import { defer } from '../../base/deferred.ts';

/**
 * Returns the answer to a question, or undefined once the call has ended. A modal dialog cannot be closed by
 * the program, so a late answer is ignored.
 */
export async function askInTime<Answer>(
  asking: Thenable<Answer | undefined>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (signal.aborted) return undefined;
  const ended = defer<undefined>();
  const end = (): void => ended.resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([asking, ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

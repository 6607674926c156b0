import { defer } from '../deferred.ts';

/**
 * The answer to a question, or undefined once the call that asks has ended: a modal question cannot be taken back, and its
 * late answer counts for nothing.
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

import { LSPErrorCodes, ResponseError, type CancellationToken } from 'vscode-languageserver';
import type { Runtime } from './runtime.ts';

/** The work as named in the log: the feature and, if applicable, the document. */
export interface GuardedWork {
  readonly feature: string;
  readonly uri?: string;
  readonly version?: number;
}

/** The runtime of guarded work, and the log for its errors. */
export interface GuardHost {
  readonly runtime: Runtime;
  logError(message: string): void;
}

/**
 * Runs work so that it cannot affect the server. It first yields, so that a cancellation or edit that has
 * already arrived is processed. After an error it returns the neutral value; the error is logged with the
 * feature, the document and its version, but never with its text.
 */
export async function guardWork<R>(
  host: GuardHost,
  work: GuardedWork,
  neutral: R,
  run: () => R | Promise<R>,
): Promise<R> {
  await host.runtime.yieldToQueue();
  try {
    return await run();
  } catch (error) {
    host.logError(describeFault(work, error));
    return neutral;
  }
}

/** The same for a request: a cancelled one returns `RequestCancelled`, does no work and logs nothing. */
export async function guardRequest<R, E>(
  host: GuardHost,
  work: GuardedWork,
  neutral: R,
  token: CancellationToken,
  run: () => R | Promise<R>,
): Promise<R | ResponseError<E>> {
  const cancelled = (): ResponseError<E> =>
    new ResponseError<E>(LSPErrorCodes.RequestCancelled, `${work.feature}: the request was cancelled`);
  if (token.isCancellationRequested) return cancelled();
  const answer = await guardWork<R | ResponseError<E>>(host, work, neutral, () =>
    token.isCancellationRequested ? cancelled() : run(),
  );
  return token.isCancellationRequested ? cancelled() : answer;
}

function describeFault(work: GuardedWork, error: unknown): string {
  const place = [work.uri, work.version === undefined ? undefined : `version ${work.version}`];
  const where = place.filter(part => part !== undefined).join(' ');
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${work.feature} failed${where ? ` for ${where}` : ''}: ${what}`;
}

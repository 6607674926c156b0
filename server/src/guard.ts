import { LSPErrorCodes, ResponseError, type CancellationToken } from 'vscode-languageserver';
import type { Runtime } from './runtime.ts';

/** What a line of the log names: the feature and, where one is concerned, the document. */
export interface GuardedWork {
  readonly feature: string;
  readonly uri?: string;
  readonly version?: number;
}

/** Where guarded work runs and where its faults are told. */
export interface GuardHost {
  readonly runtime: Runtime;
  logError(message: string): void;
}

/**
 * Runs one piece of work so that nothing of it can hurt the server: it first yields, so that a cancel or an edit
 * that has already arrived is seen; it answers the neutral value after an error, which is logged with the feature,
 * the document and its version, and never with its text.
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

/** The same for a request: a cancelled one answers `RequestCancelled`, does no work and logs nothing. */
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

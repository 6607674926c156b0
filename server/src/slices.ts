import type { CancellationToken } from 'vscode-languageserver';
import { runInSlices as runSlices } from '../../core/text/slices.ts';
import type { Runtime } from './runtime.ts';

/** Runs work in slices, with messages from the editor handled in between. Returns undefined if cancelled. */
export async function runInSlices<T>(
  { runtime }: { readonly runtime: Runtime },
  work: Generator<undefined | void, T>,
  token: Pick<CancellationToken, 'isCancellationRequested'>,
): Promise<T | undefined> {
  const ran = await runSlices(work, {
    now: () => runtime.now(),
    yieldToQueue: () => runtime.yieldToQueue(),
    isStopped: () => token.isCancellationRequested,
  });
  return ran?.result;
}

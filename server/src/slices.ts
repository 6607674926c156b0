import type { CancellationToken } from 'vscode-languageserver';
import { runInSlices as runSlices } from '../../core/text/slices.ts';
import type { Runtime } from './runtime.ts';

/** The result of work in slices, between which the editor's messages go; undefined once it is cancelled. */
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

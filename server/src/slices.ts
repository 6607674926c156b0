import type { CancellationToken } from 'vscode-languageserver';
import type { Runtime } from './runtime.ts';

/** So long the work goes on before messages that have arrived have their turn. */
const SLICE_MS = 10;

/** The result of work in slices, between which the editor's messages go; undefined once it is cancelled. */
export async function runInSlices<T>(
  { runtime }: { readonly runtime: Runtime },
  work: Generator<undefined | void, T>,
  token: Pick<CancellationToken, 'isCancellationRequested'>,
): Promise<T | undefined> {
  for (let start = runtime.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (runtime.now() - start < SLICE_MS) continue;
    await runtime.yieldToQueue();
    if (token.isCancellationRequested) return undefined;
    start = runtime.now();
  }
}

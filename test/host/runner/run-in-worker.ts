import { failWhereAnyFailed, runTests, type TestLoader } from './run-tests.ts';

/** Runs test files inside the web worker host. Throws where a test failed. */
export async function runInWorker(tests: readonly TestLoader[]): Promise<void> {
  if (!('WorkerGlobalScope' in globalThis)) throw new Error('this host is no web worker');
  failWhereAnyFailed(await runTests(tests));
}

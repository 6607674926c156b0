import * as mochaModule from 'mocha';
import { defer } from '../../../client/src/base/deferred.ts';
import type { Counts } from '../../../scripts/test/counts.ts';
import { createReporter } from '../../../scripts/test/reporter.ts';
import { COUNTS_PREFIX, LINE_PREFIX } from '../../../scripts/vscode/host-lines.ts';

/** A test file's path and the function that loads it. */
export type TestLoader = readonly [file: string, load: () => Promise<unknown>];

const TIMEOUT_MS = 300_000;

/** The class by its name, which the types do not have: what a module's default is differs between versions of Node. */
const { Mocha } = mochaModule as unknown as { readonly Mocha: typeof mochaModule.default };

/** Runs test files inside an extension host of any kind. Lines and counts go to the console, where the harness reads them. */
export async function runTests(tests: readonly TestLoader[]): Promise<Counts> {
  const { promise, resolve } = defer<Counts>();
  const mocha = new Mocha({
    timeout: TIMEOUT_MS,
    forbidOnly: true,
    forbidPending: true,
    reporter: createReporter({ line: text => console.log(`${LINE_PREFIX}${text}`), done: resolve }),
  });
  for (const [file, load] of tests) {
    // What mocha itself does around each file that it loads.
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    mocha.suite.emit('require', await load(), file, mocha);
    mocha.suite.emit('post-require', globalThis, file, mocha);
  }
  mocha.run();
  const counts = await promise;
  console.log(`${COUNTS_PREFIX}${JSON.stringify(counts)}`);
  return counts;
}

/** How VS Code learns the exit code. */
export function failWhereAnyFailed({ failed }: Counts): void {
  if (failed > 0) throw new Error(`${failed} tests failed`);
}

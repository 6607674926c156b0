import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { Counts } from '../../../scripts/test/counts.ts';
import { createReporter } from '../../../scripts/test/reporter.ts';
import { COUNTS_PREFIX, HOST_COUNTS_VARIABLE, LINE_PREFIX } from '../../../scripts/vscode/host-lines.ts';

/** A test file's path and the function that loads it. */
export type TestLoader = readonly [file: string, load: () => Promise<unknown>];

const TIMEOUT_MS = 30_000;

/**
 * Runs test files inside an extension host. Lines and counts go to the console, from where the harness reads
 * them; a desktop run writes its counts to the file that the environment names. Throws where a test failed, which
 * is how VS Code learns the exit code.
 */
export async function runInHost(tests: readonly TestLoader[]): Promise<void> {
  // Stacks name the sources, not the bundle.
  process.setSourceMapsEnabled(true);
  const { promise, resolve } = Promise.withResolvers<Counts>();
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
  const path = process.env[HOST_COUNTS_VARIABLE];
  if (path !== undefined) writeFileSync(path, JSON.stringify(counts));
  console.log(`${COUNTS_PREFIX}${JSON.stringify(counts)}`);
  if (counts.failed > 0) throw new Error(`${counts.failed} tests failed`);
}

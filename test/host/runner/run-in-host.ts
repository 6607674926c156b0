import { writeFileSync } from 'node:fs';
import { HOST_COUNTS_VARIABLE } from '../../../scripts/vscode/host-lines.ts';
import { failWhereAnyFailed, runTests, type TestLoader } from './run-tests.ts';

/**
 * Runs test files inside an extension host in Node. A desktop run writes its counts to the file that the environment
 * names, for no console comes back from there. Throws where a test failed.
 */
export async function runInHost(tests: readonly TestLoader[]): Promise<void> {
  // Stacks name the sources, not the bundle.
  process.setSourceMapsEnabled(true);
  const counts = await runTests(tests);
  const path = process.env[HOST_COUNTS_VARIABLE];
  if (path !== undefined) writeFileSync(path, JSON.stringify(counts));
  failWhereAnyFailed(counts);
}

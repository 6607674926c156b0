import { relative, resolve } from 'node:path';
import fc from 'fast-check';
import { reportCounts } from './counts-file.ts';
import { findTests, runTests } from './mocha.ts';

/** What takes longer hangs, on a slow machine with other things to do, too; some suites say their own. */
const TIMEOUT_MS = 120_000;

/** What is still open this long after the last test is a leak. */
const LINGER_MS = 30_000;

/** `node scripts/test/run-mocha.ts FOLDER [TIMEOUT]`: nothing imports this module, so that tests may import all others. */
async function main(): Promise<void> {
  const [folder = '', timeout] = process.argv.slice(2);
  const seed = process.env['FUZZ_SEED'];
  if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
  const files = findTests(resolve(folder));
  const counts = await runTests(files, timeout === undefined ? TIMEOUT_MS : Number(timeout));
  reportCounts(counts);
  setTimeout(() => {
    console.log(
      `✗ ${relative('.', folder)} leaves something open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    reportCounts({ ...counts, failed: counts.failed + 1 });
    process.exit();
  }, LINGER_MS).unref();
}

await main();

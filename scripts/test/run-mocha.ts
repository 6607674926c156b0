import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { reportCounts } from './counts-file.ts';
import { findTests, runTests } from './mocha.ts';

/** A test that takes longer hangs, on a slow machine with other things to do, too; some suites name their own limit. */
const TIMEOUT_MS = 120_000;

/** What is still open this long after the last test is a leak. */
const LINGER_MS = 30_000;

/**
 * `node scripts/test/run-mocha.ts FOLDER [--timeout MS] [--worker I/N] [--full]`: runs the test files of a folder, every Nth
 * of them for a worker, and with `--full` only those that have sizes. Nothing imports this module, so that tests may import
 * all others.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { timeout: { type: 'string' }, worker: { type: 'string' }, full: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder = ''] = positionals;
  const seed = process.env['FUZZ_SEED'];
  if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
  const [worker = 0, workers = 1] = values.worker?.split('/').map(Number) ?? [];
  const files = findTests(resolve(folder))
    .filter(file => values.full !== true || hasSizes(file))
    .filter((_, place) => place % workers === worker);
  const counts = await runTests(files, Number(values.timeout ?? TIMEOUT_MS));
  reportCounts(counts);
  setTimeout(() => {
    console.log(
      `✗ ${relative('.', folder)} leaves something open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    reportCounts({ ...counts, failed: counts.failed + 1 });
    process.exit();
  }, LINGER_MS).unref();
}

/** True where a test file takes its sizes from test/support/size.ts, directly or for a loop of random edits. */
function hasSizes(file: string): boolean {
  return /\b(sized|runs|fuzzLoop|itAtFullSize)\(/.test(readFileSync(file, 'utf8'));
}

await main();

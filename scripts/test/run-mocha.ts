import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { reportCounts } from './counts-file.ts';
import { findTests, runTests } from './mocha.ts';
import { isPicked } from './suites.ts';

/** The time in milliseconds after which a test is considered to hang, also at full size on a busy machine. */
const TIMEOUT_MS = 300_000;

/** The time after the last test at which open handles are reported as a leak. */
const LINGER_MS = 30_000;

/**
 * `node scripts/test/run-mocha.ts FOLDER [--worker I/N] [--full] [--slow only|none]`: runs the test files of a
 * folder. `--worker` selects every Nth file, `--full` only files whose tests have sizes, `--slow` only the slow
 * ones or all others. No other module imports this one, so that tests may import all others.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      worker: { type: 'string' },
      full: { type: 'boolean' },
      slow: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [folder = ''] = positionals;
  const seed = process.env['FUZZ_SEED'];
  if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
  const [worker = 0, workers = 1] = values.worker?.split('/').map(Number) ?? [];
  const files = findTests(resolve(folder))
    .filter(file => isPicked(values.slow, file))
    .filter(file => values.full !== true || hasSizes(file))
    .filter((_, place) => place % workers === worker);
  const counts = await runTests(files, TIMEOUT_MS);
  reportCounts(counts);
  setTimeout(() => {
    console.log(
      `✗ ${relative('.', folder)} leaves something open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    reportCounts({ ...counts, failed: counts.failed + 1 });
    process.exit();
  }, LINGER_MS).unref();
}

/** True if a test file uses sizes from test/support/size.ts, directly or in a loop of random edits. */
function hasSizes(file: string): boolean {
  return /\b(sized|runs|fuzzLoop|itAtFullSize)\(/.test(readFileSync(file, 'utf8'));
}

await main();

import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import Mocha from 'mocha';
import type { Counts } from './counts.ts';
import { createReporter } from './reporter.ts';

/** The test files below a folder, sorted. */
export function findTests(folder: string): readonly string[] {
  return globSync('**/*.test.ts', { cwd: folder })
    .map(path => resolve(folder, path))
    .sort();
}

/** Runs test files with mocha in this process; prints failures. */
export async function runTests(files: readonly string[], timeoutMs: number): Promise<Counts> {
  const { promise, resolve: done } = Promise.withResolvers<Counts>();
  const mocha = new Mocha({
    timeout: timeoutMs,
    // Skipped and exclusive tests would reduce the coverage of the gate.
    forbidOnly: true,
    forbidPending: true,
    reporter: createReporter({ line: text => console.log(text), done }),
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.run();
  return promise;
}

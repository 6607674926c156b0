import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { runCounted, runNode } from './child.ts';
import { addCounts, formatCounts, NOTHING, type Counts } from './counts.ts';
import { Requirements } from './requirements.ts';
import { findStrays, SUITES, type Suite } from './suites.ts';

/** Runs the suites one after the other; prints a line for each and returns the sum. A suite that ran no test is a failure. */
export async function runSuites(
  root: string,
  suites: readonly Suite[],
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const requirements = new Requirements(root);
  if (suites.some(suite => suite.needs.includes('vscode'))) requirements.start('vscode');
  let sum = NOTHING;
  for (const suite of suites) {
    const start = performance.now();
    const counts = await runSuite(root, suite, requirements, env);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${suite.name.padEnd(12)} ${formatCounts(counts)} (${seconds} s)`);
    sum = addCounts(sum, counts);
  }
  return sum;
}

async function runSuite(
  root: string,
  suite: Suite,
  requirements: Requirements,
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  if (!(await requirements.have(suite.needs))) {
    console.log(`✗ ${suite.name} did not run: it needs ${suite.needs.join(' and ')}`);
    return { passed: 0, failed: 1 };
  }
  const counts = await runTestsOf(root, suite, env);
  if (counts.passed + counts.failed > 0) return counts;
  console.log(`✗ ${suite.name} ran no test`);
  return { passed: 0, failed: 1 };
}

async function runTestsOf(root: string, suite: Suite, env: NodeJS.ProcessEnv): Promise<Counts> {
  switch (suite.kind) {
    case 'checks': {
      let sum = NOTHING;
      for (const { title, command } of suite.checks) {
        const isPassed = (await runNode(root, command, env)) === 0;
        if (!isPassed) console.log(`✗ ${title}`);
        sum = addCounts(sum, isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
      }
      return sum;
    }
    case 'mocha': {
      const timeout = suite.timeoutMs === undefined ? [] : [String(suite.timeoutMs)];
      return runCounted(
        root,
        [join(import.meta.dirname, 'run-mocha.ts'), `test/${suite.name}`, ...timeout],
        env,
      );
    }
    case 'host':
      return runCounted(root, ['scripts/test/run-host.ts'], env);
    case 'web':
      return runCounted(root, ['scripts/test/run-web.ts'], env);
  }
}

/** One failure for each test file that no suite would run. */
export function checkStrays(root: string): Counts {
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist', '.build', '.git'] });
  const strays = findStrays(files, SUITES);
  for (const file of strays) console.log(`✗ ${file} is in no suite's folder: no suite would run it`);
  return { passed: 0, failed: strays.length };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { screenshots: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter(name => !SUITES.some(suite => suite.name === name));
  if (unknown.length > 0) {
    console.error(
      `No suite is named ${unknown.join(', ')}; there are ${SUITES.map(suite => suite.name).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const chosen = SUITES.filter(suite => positionals.length === 0 || positionals.includes(suite.name));
  const env = values.screenshots === true ? { SCREENSHOTS: '1' } : {};
  const counts = addCounts(await runSuites(ROOT, chosen, env), checkStrays(ROOT));
  console.log(formatCounts(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

if (import.meta.main) await main();

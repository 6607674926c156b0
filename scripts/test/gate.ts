import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { runCounted, runNode, type Running } from './child.ts';
import { addCounts, formatCounts, NOTHING, type Counts } from './counts.ts';
import { Requirements } from './requirements.ts';
import { seedOf } from './seed.ts';
import { findStrays, listByLength, SIDE_BY_SIDE, SUITES, type Suite } from './suites.ts';
import { Turns, type Print } from './turns.ts';

/**
 * Runs the suites, some side by side; prints a line for each in their order and returns the sum. A suite that ran no test
 * is a failure.
 */
export async function runSuites(
  root: string,
  suites: readonly Suite[],
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const write: Print = text => process.stdout.write(text);
  const requirements = new Requirements({ root, env: {}, print: write });
  if (suites.some(suite => suite.needs.includes('vscode'))) requirements.start('vscode');
  const turns = new Turns(suites.length, write);
  const counts = suites.map(() => NOTHING);
  const waiting = [...listByLength(suites)];
  const runNext = async (): Promise<void> => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      const suite = suites[place];
      if (!suite) continue;
      const start = performance.now();
      const running: Running = {
        root,
        env,
        print: text => turns.print(place, text),
      };
      const found = await runSuite(suite, requirements, running);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      running.print(`${suite.name.padEnd(12)} ${formatCounts(found)} (${seconds} s)\n`);
      turns.end(place);
      counts[place] = found;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runNext));
  return counts.reduce(addCounts, NOTHING);
}

async function runSuite(suite: Suite, requirements: Requirements, running: Running): Promise<Counts> {
  if (!(await requirements.have(suite.needs))) {
    running.print(`✗ ${suite.name} did not run: it needs ${suite.needs.join(' and ')}\n`);
    return { passed: 0, failed: 1 };
  }
  const counts = await runTestsOf(suite, running);
  if (counts.passed + counts.failed > 0) return counts;
  running.print(`✗ ${suite.name} ran no test\n`);
  return { passed: 0, failed: 1 };
}

async function runTestsOf(suite: Suite, running: Running): Promise<Counts> {
  switch (suite.kind) {
    case 'checks': {
      let sum = NOTHING;
      for (const { title, command } of suite.checks) {
        const isPassed = (await runNode(running, command)) === 0;
        if (!isPassed) running.print(`✗ ${title}\n`);
        sum = addCounts(sum, isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
      }
      return sum;
    }
    case 'mocha': {
      const timeout = suite.timeoutMs === undefined ? [] : [String(suite.timeoutMs)];
      const runner = join(import.meta.dirname, 'run-mocha.ts');
      return runCounted(running, [runner, `test/${suite.name}`, ...timeout]);
    }
    case 'host':
      return runCounted(running, ['scripts/test/run-host.ts']);
    case 'web':
      return runCounted(running, ['scripts/test/run-web.ts']);
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
  // Whoever wants more runs wants others each time.
  const isAnyStart = process.env['FUZZ_RUNS'] !== undefined || process.env['FUZZ_SEED'] !== undefined;
  const env = {
    ...(values.screenshots === true && { SCREENSHOTS: '1' }),
    ...(!isAnyStart && { FUZZ_SEED: String(seedOf(ROOT)) }),
  };
  const counts = addCounts(await runSuites(ROOT, chosen, env), checkStrays(ROOT));
  console.log(formatCounts(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

if (import.meta.main) await main();

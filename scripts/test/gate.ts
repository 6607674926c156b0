import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { runCounted, runNode, type Running } from './child.ts';
import { addCounts, formatCounts, formatSlowest, NOTHING, ONE_FAILURE, type Counts } from './counts.ts';
import { addToSum, SUM_VARIABLE } from './counts-file.ts';
import { Requirements } from './requirements.ts';
import { seedOf } from './seed.ts';
import {
  findStrays,
  folderOf,
  GATE,
  listByLength,
  QUICK,
  SIDE_BY_SIDE,
  SIZE_VARIABLE,
  splitSuites,
  STRESS,
  type Suite,
} from './suites.ts';
import { Turns, type Print } from './turns.ts';

/**
 * Runs suites, several in parallel, and prints their output in order; returns the sum of their counts. A
 * suite that ran no tests is a failure.
 */
export async function runSuites(
  root: string,
  chosen: readonly Suite[],
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const suites = splitSuites(chosen);
  const write: Print = text => process.stdout.write(text);
  const requirements = new Requirements({ root, env: {}, print: write });
  for (const need of ['vscode', 'oldest-vscode'] as const)
    if (suites.some(suite => suite.needs.includes(need))) requirements.start(need);
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
    return ONE_FAILURE;
  }
  const counts = await runTestsOf(suite, running);
  if (counts.passed + counts.failed > 0) return counts;
  running.print(`✗ ${suite.name} ran no test\n`);
  return ONE_FAILURE;
}

async function runTestsOf(suite: Suite, running: Running): Promise<Counts> {
  switch (suite.kind) {
    case 'checks': {
      let sum = NOTHING;
      for (const { title, command } of suite.checks) {
        const start = performance.now();
        const isPassed = (await runNode(running, command)) === 0;
        if (!isPassed) running.print(`✗ ${title}\n`);
        sum = addCounts(sum, {
          passed: isPassed ? 1 : 0,
          failed: isPassed ? 0 : 1,
          slowest: [{ title, milliseconds: performance.now() - start }],
        });
      }
      return sum;
    }
    case 'mocha': {
      const env = suite.size === undefined ? running.env : { ...running.env, [SIZE_VARIABLE]: suite.size };
      return runCounted({ ...running, env }, [
        join(import.meta.dirname, 'run-mocha.ts'),
        folderOf(suite),
        ...(suite.worker === undefined ? [] : ['--worker', `${suite.worker}/${suite.workers}`]),
        ...(suite.size === 'full' ? ['--full'] : []),
        ...(suite.slow === undefined ? [] : ['--slow', suite.slow]),
      ]);
    }
    case 'host':
      return runCounted(running, ['scripts/test/run-host.ts', '--vscode', suite.vscode ?? 'newest']);
    case 'web':
      return runCounted(running, ['scripts/test/run-web.ts', ...(suite.isRest === true ? ['--rest'] : [])]);
  }
}

/** Counts one failure for each test file that belongs to no suite. */
export function checkStrays(root: string): Counts {
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist', '.build', '.git'] });
  const strays = findStrays(files, [...GATE, ...STRESS]);
  for (const file of strays) console.log(`✗ ${file} is in no suite's folder: no suite would run it`);
  return { ...NOTHING, failed: strays.length };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      screenshots: { type: 'boolean' },
      quick: { type: 'boolean' },
      stress: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const suites = values.stress === true ? STRESS : values.quick === true ? QUICK : GATE;
  const unknown = positionals.filter(name => !suites.some(suite => suite.name === name));
  if (unknown.length > 0) {
    console.error(
      `No suite is named ${unknown.join(', ')}; there are ${suites.map(suite => suite.name).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const chosen = suites.filter(suite => positionals.length === 0 || positionals.includes(suite.name));
  // A run with its own number of random tests or its own seed does not use the seed of the commit.
  const isAnyStart = process.env['FUZZ_RUNS'] !== undefined || process.env['FUZZ_SEED'] !== undefined;
  const env = {
    ...(values.screenshots === true && { SCREENSHOTS: '1' }),
    ...(!isAnyStart && { FUZZ_SEED: String(seedOf(ROOT)) }),
  };
  const counts = addCounts(await runSuites(ROOT, chosen, env), checkStrays(ROOT));
  for (const line of formatSlowest(counts)) console.log(line);
  const sumFile = process.env[SUM_VARIABLE];
  console.log(formatCounts(sumFile === undefined ? counts : addToSum(sumFile, counts)));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

if (import.meta.main) await main();

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { showCount } from '../../core/text/count.ts';
import { ROOT } from '../../scripts/root.ts';
import { Requirements } from '../../scripts/test/requirements.ts';
import { toMiB, type Attack, type Form, type Outcome } from './support/attack.ts';
import { ATTACKS } from './table.ts';

/** Rows that run at a time: more than there are processors would distort what is measured. */
const AT_A_TIME = availableParallelism();

const COLUMNS = [44, 12, 24, 20, 9, 13, 9] as const;

/**
 * `node test/attack/main.ts [--short] [--protocol NAME] [--group NAME] [--failed] [--built] [WORDS IN A NAME]`: runs the table of
 * attacks, all rows at full size unless `--short` is given, and prints a row for each. `--failed` prints those alone that
 * succeeded; `--built` takes the bundles of dist/ as they are. The work of rows with much input is counted at a hundredth of
 * its size.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      short: { type: 'boolean' },
      failed: { type: 'boolean' },
      built: { type: 'boolean' },
      protocol: { type: 'string' },
      group: { type: 'string' },
    },
    allowPositionals: true,
  });
  const requirements = new Requirements({ root: ROOT, env: {}, print: text => process.stdout.write(text) });
  if (!values.built && !(await requirements.have(['build']))) return void (process.exitCode = 1);
  const chosen = ATTACKS.filter(
    ({ isShort, protocol, group, name }) =>
      (!values.short || isShort) &&
      (values.protocol ?? protocol) === protocol &&
      (values.group ?? group) === group &&
      positionals.every(word => name.includes(word)),
  );
  const began = performance.now();
  print(['behaviour', 'protocol', 'outcome', 'expected', 'peak MiB', 'blocks at 1 %', 'input MiB', '']);
  const failed = await runAll(chosen, values.short ? 'short' : 'full', values.failed ? 'failed' : 'all');
  printSlowest();
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${chosen.length - failed} passed, ${failed} failed, in ${seconds} s`);
  process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0;
}

async function runAll(chosen: readonly Attack[], form: Form, printed: 'failed' | 'all'): Promise<number> {
  const waiting = [...chosen];
  let failed = 0;
  const runNext = async (): Promise<void> => {
    for (let attack = waiting.shift(); attack; attack = waiting.shift()) {
      const outcome = await runOne(attack, form);
      if (outcome.faults.length > 0) failed++;
      if (outcome.faults.length === 0 && printed === 'failed') continue;
      printRow(attack, outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runNext));
  return failed;
}

const times = new Map<Attack, number>();

/** Prints the rows that took longest. */
function printSlowest(): void {
  const slowest = [...times].sort(([, a], [, b]) => b - a).slice(0, 10);
  console.log('Slowest:');
  for (const [{ group, protocol, name }, time] of slowest)
    console.log(`    ${(time / 1000).toFixed(1)} s  ${group}, ${protocol}: ${name}`);
}

async function runOne(attack: Attack, form: Form): Promise<Outcome> {
  const start = performance.now();
  try {
    const outcome = await attack.run(form);
    return form === 'full' && outcome.input >= LARGE ? await addWork(attack, outcome) : outcome;
  } catch (error) {
    return {
      ended: 'not run',
      peak: 0,
      work: undefined,
      input: 0,
      faults: [error instanceof Error ? String(error.stack) : String(error)],
    };
  } finally {
    times.set(attack, performance.now() - start);
  }
}

/** Bytes of input from which the work of a row is counted, too, in a second run at a hundredth of its size. */
const LARGE = 100_000;

async function addWork(attack: Attack, outcome: Outcome): Promise<Outcome> {
  const { work, faults } = await attack.run('short');
  return { ...outcome, work, faults: [...outcome.faults, ...faults] };
}

function printRow(
  { name, protocol, does, expected }: Attack,
  { ended, peak, work, input, faults }: Outcome,
): void {
  const isFine = faults.length === 0;
  const expects = `${expected.end.map(each => (typeof each === 'number' ? `exit ${each}` : each)).join(' or ')}`;
  const blocks = work === undefined ? '-' : showCount(work);
  print([name, protocol, ended, expects, toMiB(peak), blocks, toMiB(input), isFine ? 'ok' : 'FAIL']);
  if (isFine) return;
  console.log(`    ${does}`);
  for (const fault of faults) console.log(`    ✗ ${fault}`);
}

function print(cells: readonly string[]): void {
  console.log(
    cells
      .map((cell, index) => cell.padEnd(COLUMNS[index] ?? 0))
      .join(' ')
      .trimEnd(),
  );
}

await main();

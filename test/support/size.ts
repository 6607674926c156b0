import { it, type Context } from 'mocha';
import { SIZE_VARIABLE } from '../../scripts/test/suites.ts';

/** How much smaller the gate's inputs are than those of the stress run. */
const GATE_SHARE = 100;

/** A property is tried this often in the gate at least. */
const GATE_RUNS = 20;

/** True in the stress run, which runs only the test files that use this module. */
export const IS_FULL_SIZE = process.env[SIZE_VARIABLE] === 'full';

/**
 * The size of a test's input, such as bytes or messages: `full` in the stress run; in the gate a hundredth of it, or `gate`
 * where the property needs another size.
 */
export function sized(full: number, gate: number = Math.ceil(full / GATE_SHARE)): number {
  return IS_FULL_SIZE ? full : gate;
}

/** The number of runs of a property: `full` in the stress run; FUZZ_RUNS=N overrides it for a longer look. */
export function runs(full: number): number {
  const chosen = process.env['FUZZ_RUNS'];
  return chosen === undefined
    ? sized(full, Math.max(GATE_RUNS, Math.ceil(full / GATE_SHARE)))
    : Number(chosen);
}

/** A test of a limit that only an input of full size reaches: it runs in the stress run alone. */
export function itAtFullSize(title: string, run: (this: Context) => void | Promise<void>): void {
  if (IS_FULL_SIZE) it(title, run);
}

import { IS_FULL_SIZE } from './size.ts';

/** The gate's, or a new one for each run; printed, so that a failure can be seen again: FUZZ_SEED=N repeats it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** How long the stress run tries a property of edits, in milliseconds; FUZZ_RUNS=N tries N files instead. */
const LOOP_TIME = 4_000;

/** How many files the gate tries. */
const GATE_RUNS = 20;

interface FuzzLoop {
  readonly seed: number;
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly markInterruptAsFailure?: false;
}

/** Parameters of a property of edits: a few files in the gate, as many as fit into some seconds in the stress run. */
export function fuzzLoop(): FuzzLoop {
  console.log(`      seed ${SEED} (FUZZ_SEED=${SEED} repeats it)`);
  const runs = process.env['FUZZ_RUNS'];
  if (runs !== undefined) return { seed: SEED, numRuns: Number(runs) };
  if (!IS_FULL_SIZE) return { seed: SEED, numRuns: GATE_RUNS };
  return {
    seed: SEED,
    numRuns: 1_000_000,
    interruptAfterTimeLimit: LOOP_TIME,
    markInterruptAsFailure: false,
  };
}

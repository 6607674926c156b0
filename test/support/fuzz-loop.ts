/** The gate's, or a new one for each run; printed, so that a failure can be seen again: FUZZ_SEED=N repeats it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** How long a property of edits is tried as part of all tests, in milliseconds; FUZZ_RUNS=N tries N files instead. */
const LOOP_TIME = 4_000;

interface FuzzLoop {
  readonly seed: number;
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly markInterruptAsFailure?: false;
}

/** Parameters of a property that is tried for a while with a seed that nobody chose. */
export function fuzzLoop(): FuzzLoop {
  console.log(`      seed ${SEED} (FUZZ_SEED=${SEED} repeats it)`);
  const runs = process.env['FUZZ_RUNS'];
  if (runs !== undefined) return { seed: SEED, numRuns: Number(runs) };
  return {
    seed: SEED,
    numRuns: 1_000_000,
    interruptAfterTimeLimit: LOOP_TIME,
    markInterruptAsFailure: false,
  };
}

/** A test, hook or check with its duration. */
export interface TimedTest {
  readonly title: string;
  readonly milliseconds: number;
}

/** The results of a suite. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** The slowest tests, at most `SLOWEST_SHOWN`, slowest first. */
  readonly slowest: readonly TimedTest[];
}

export const NOTHING: Counts = { passed: 0, failed: 0, slowest: [] };

/** A failure that is not a test: a suite that could not run, or ended before it reported its counts. */
export const ONE_FAILURE: Counts = { passed: 0, failed: 1, slowest: [] };

/** The number of slow tests that a run lists at its end. */
const SLOWEST_SHOWN = 10;

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    slowest: pickSlowest([...one.slowest, ...other.slowest]),
  };
}

/** The slowest of some tests, longest first. */
export function pickSlowest(tests: readonly TimedTest[]): readonly TimedTest[] {
  return tests.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST_SHOWN);
}

/** Formats the last line of a run. */
export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

/** The slowest tests, one line each. */
export function formatSlowest({ slowest }: Counts): readonly string[] {
  if (slowest.length === 0) return [];
  return [
    'Slowest:',
    ...slowest.map(
      ({ title, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${title}`,
    ),
  ];
}

export function isCounts(value: unknown): value is Counts {
  return (
    typeof value === 'object' &&
    value !== null &&
    'passed' in value &&
    'failed' in value &&
    'slowest' in value &&
    typeof value.passed === 'number' &&
    typeof value.failed === 'number' &&
    Array.isArray(value.slowest)
  );
}

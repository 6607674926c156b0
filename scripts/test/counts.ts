/** A test, hook or check and how long it took. */
export interface TimedTest {
  readonly title: string;
  readonly milliseconds: number;
}

/** What a suite found. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** The tests that took longest, at most `SLOWEST_SHOWN`, longest first. */
  readonly slowest: readonly TimedTest[];
}

export const NOTHING: Counts = { passed: 0, failed: 0, slowest: [] };

/** A failure that is no test: a suite that could not run, or ended before it had counted. */
export const ONE_FAILURE: Counts = { passed: 0, failed: 1, slowest: [] };

/** How many tests a run names at its end. */
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

/** The last line of every run. */
export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

/** The slowest tests, a line each. */
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

/** What a suite found. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export const NOTHING: Counts = { passed: 0, failed: 0 };

export function addCounts(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** The last line of every run. */
export function formatCounts({ passed, failed }: Counts): string {
  return `${passed} passed, ${failed} failed`;
}

export function isCounts(value: unknown): value is Counts {
  return (
    typeof value === 'object' &&
    value !== null &&
    'passed' in value &&
    'failed' in value &&
    typeof value.passed === 'number' &&
    typeof value.failed === 'number'
  );
}

/** The percentile of times for a share from 0 to 1. */
export function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

/** A note on the slow runs of a row. */
export function describeSlow(times: readonly number[]): string {
  return `p95 ${percentile(times, 0.95).toFixed(1)} ms`;
}

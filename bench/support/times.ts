/** The time under which a share of the runs stayed. */
export function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

/** What a row says of its slow runs. */
export function describeSlow(times: readonly number[]): string {
  return `p95 ${percentile(times, 0.95).toFixed(1)} ms`;
}

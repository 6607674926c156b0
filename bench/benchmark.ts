/** The kind of a row: `ours`, a `peer` measured in the same run, or a `floor` that is the best possible result. */
export type RowKind = 'ours' | 'peer' | 'floor';

/** A measurement: the median of its runs. */
export interface Row {
  readonly name: string;
  readonly kind: RowKind;
  readonly medianMs: number;
  readonly runs: number;
  /** A remark on what was measured, such as its size. */
  readonly note?: string;
  /** The maximum median in milliseconds; without it the time is only reported. */
  readonly maxMs?: number;
  /** A violated condition other than time, such as memory, in a few words; absent if there is none. */
  readonly fault?: string;
  /** The rows to compare this one with; by default the first peer. */
  readonly against?: readonly Comparison[];
}

/** A comparison of our row with a named row. */
export interface Comparison {
  /** The name of the other row; if it is missing, nothing is reported. */
  readonly row: string;
  /** The minimum factor by which ours must be faster; without it the factor is only reported. */
  readonly atLeast?: number;
}

/** A benchmark. The file `bench/<name>.bench.ts` exports it as `benchmark`. */
export interface Benchmark {
  readonly title: string;
  /** The maximum ratio of our median to the peer's; without it the times are only reported. */
  readonly limit?: number;
  measure(): Promise<readonly Row[]>;
}

/** True if a value is a valid export of a benchmark's file. */
export function isBenchmark(value: unknown): value is Benchmark {
  return (
    typeof value === 'object' &&
    value !== null &&
    'title' in value &&
    typeof value.title === 'string' &&
    'measure' in value &&
    typeof value.measure === 'function'
  );
}

/** The median duration of `work` in milliseconds, after one warm-up run. */
export async function medianOf(runs: number, work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return findMedian(times);
}

/** The median of numbers; NaN if there are none. */
export function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

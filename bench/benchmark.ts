/** What a row of a benchmark's table is: ours, a named peer in the same run, or the floor that nothing can beat. */
export type RowKind = 'ours' | 'peer' | 'floor';

/** A measured thing: the median of its runs. */
export interface Row {
  readonly name: string;
  readonly kind: RowKind;
  readonly medianMs: number;
  readonly runs: number;
  /** A word on what was measured, such as its size. */
  readonly note?: string;
  /** The most milliseconds that the median may be; without it the figure is only shown. */
  readonly mostMs?: number;
  /** What does not hold besides times, such as memory, in a few words; without it all does. */
  readonly fault?: string;
  /** The rows that this one is held against; without it, the first peer. */
  readonly against?: readonly Comparison[];
}

/** Ours and a named row. */
export interface Comparison {
  /** The other row's name; nothing is said of one that is not there. */
  readonly row: string;
  /** How many times as fast as it ours has to be; without it the figure is only shown. */
  readonly atLeast?: number;
}

/** One benchmark: a file `bench/<name>.bench.ts` that exports it as `benchmark`. */
export interface Benchmark {
  readonly title: string;
  /** How many times the peer's median ours may take; without it the figures are only shown. */
  readonly limit?: number;
  measure(): Promise<readonly Row[]>;
}

/** True for what a benchmark's file has to export. */
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

/** The middle of the times that `work` takes, after one run that warms up; an even count takes the mean of two. */
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

/** The median of numbers; NaN where there are none. */
export function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Shorter runs are repeated until they take this long: clocks of pages have a resolution of 0.1 ms at best. */
const SHORTEST_MS = 2;
const MAX_REPEATS = 2_000;

/** The number of runs, whose median counts; work that took longer than `LONGEST_MS` in total is not run again. */
const RUNS = 5;
const LONGEST_MS = 300;

interface Timed {
  readonly work: () => void;
  readonly repeats: number;
  readonly times: number[];
  spent: number;
}

/**
 * Measures the milliseconds that each of several works takes, by the given clock, as the median of some runs.
 * The works take turns, so that other load on the computer affects all of them alike. Yields after each run.
 */
export function* timeAll(
  works: readonly (() => void)[],
  now: () => number,
): Generator<void, readonly number[]> {
  // The first run warms up the engine; it and the second determine how often a run is repeated.
  const firsts: number[] = [];
  for (const work of works) {
    firsts.push(timeOf(work, 1, now));
    yield;
  }
  const timed: Timed[] = [];
  for (const [index, work] of works.entries()) {
    const time = timeOf(work, 1, now);
    const repeats = repeatsFor(Math.min(time, firsts[index] ?? time));
    timed.push({ work, repeats, times: repeats === 1 ? [time] : [], spent: time });
    yield;
  }
  for (let round = 0; round < RUNS; round++)
    for (const each of timed) {
      if (each.spent >= LONGEST_MS && each.times.length > 0) continue;
      const time = timeOf(each.work, each.repeats, now);
      each.times.push(time);
      each.spent += time * each.repeats;
      yield;
    }
  return timed.map(({ times }) => medianOf(times));
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? 0;
}

function repeatsFor(milliseconds: number): number {
  const wanted = Math.ceil(SHORTEST_MS / Math.max(milliseconds, SHORTEST_MS / MAX_REPEATS));
  return Math.max(1, Math.min(MAX_REPEATS, wanted));
}

function timeOf(work: () => void, repeats: number, now: () => number): number {
  const start = now();
  for (let run = 0; run < repeats; run++) work();
  return (now() - start) / repeats;
}

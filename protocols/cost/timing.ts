/** A run that is shorter is repeated until it takes so long: clocks of pages tell a tenth of a millisecond at best. */
const SHORTEST_MS = 2;
const MOST_REPEATS = 2_000;

/** Runs of which the median counts. A work that took longer than this in all is run no more. */
const RUNS = 5;
const LONGEST_MS = 300;

interface Timed {
  readonly work: () => void;
  readonly repeats: number;
  readonly times: number[];
  spent: number;
}

/**
 * Milliseconds that each of several works takes, by the clock that is given: the median of some runs. The works take
 * turns, so that what else the computer does in between disturbs all of them alike. One run a slice.
 */
export function* timeAll(
  works: readonly (() => void)[],
  now: () => number,
): Generator<void, readonly number[]> {
  // The first run warms the engine up; both together say how often a run has to be repeated.
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
  const wanted = Math.ceil(SHORTEST_MS / Math.max(milliseconds, SHORTEST_MS / MOST_REPEATS));
  return Math.max(1, Math.min(MOST_REPEATS, wanted));
}

function timeOf(work: () => void, repeats: number, now: () => number): number {
  const start = now();
  for (let run = 0; run < repeats; run++) work();
  return (now() - start) / repeats;
}

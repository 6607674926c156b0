import type { NumberSource } from './numbers.ts';

/** The number of elements read at once: they fit in the processor's cache, and a run takes well under a millisecond. */
const RUN_LENGTH = 4_096;

/** The number of adjacent elements in each run of a sample; a source reads them at the cost of one access. */
const SAMPLE_RUN_LENGTH = 256;

/**
 * Each run of a sample is shifted by a multiple of this share of the
 * available gap, so that runs do not align with a period in the data.
 */
const GOLDEN_SHARE = (Math.sqrt(5) - 1) / 2;

/** The elements `[from, to)`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The runs in which a source is read, in order. If `most` is less than `length`, they are a deterministic
 * sample of exactly `most` elements, spread evenly.
 */
export function* runsOf(length: number, most = length): Generator<Run> {
  if (most >= length) {
    for (let from = 0; from < length; from += RUN_LENGTH)
      yield { from, to: Math.min(length, from + RUN_LENGTH) };
    return;
  }
  const count = Math.ceil(most / SAMPLE_RUN_LENGTH);
  const left = length - most;
  for (let at = 0; at < count; at++) {
    const before = Math.floor((at * most) / count);
    const shift = (at * GOLDEN_SHARE) % 1;
    const from = before + Math.floor((left * (at + shift)) / count);
    yield { from, to: from + Math.floor(((at + 1) * most) / count) - before };
  }
}

/** Receives a run: the first `length` items of `numbers`, and the index of the first one. */
type TakeRun = (numbers: Float64Array, length: number, firstIndex: number) => void;

/**
 * Reads a source, or a sample of `most` of its elements, in runs. Yields the progress from 0 to 1 after each
 * run, so that a page can continue between frames; returns the number of elements read.
 */
export function* readRuns(
  source: NumberSource,
  take: TakeRun,
  most = source.length,
): Generator<number, number> {
  const numbers = new Float64Array(Math.min(RUN_LENGTH, source.length));
  let looked = 0;
  for (const { from, to } of runsOf(source.length, most)) {
    source.read(from, to, numbers);
    take(numbers, to - from, from);
    looked += to - from;
    yield to / source.length;
  }
  return looked;
}

/** Maps the progress of steps to a part of the progress of a larger task. */
export function* partOf<Result>(
  steps: Generator<number, Result>,
  part: { readonly from: number; readonly to: number },
): Generator<number, Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield part.from + step.value * (part.to - part.from);
  }
}

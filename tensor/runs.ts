import type { NumberSource } from './numbers.ts';

/** So many elements are read at once: they stay in the processor's cache, and a run takes well under a millisecond. */
const RUN_LENGTH = 4_096;

/** Elements of a sample that lie next to each other: a source reads them at the cost of one place. */
const SAMPLE_RUN_LENGTH = 256;

/** Each run of a sample is moved on by this share of the room it has, so that no period of the data goes with the runs. */
const GOLDEN_SHARE = (Math.sqrt(5) - 1) / 2;

/** The elements `[from, to)`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The runs in which a source is read, in order. Of more than `most` elements they are a sample of exactly `most`, spread
 * evenly over all and always the same.
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

/** Takes a run of numbers: `numbers` up to `length`, the first of them with this index. */
type TakeRun = (numbers: Float64Array, length: number, firstIndex: number) => void;

/**
 * Reads a source run by run, or a sample of `most` of its elements. Yields after each run how much is done, from 0 to 1,
 * so that a page can go on with it between frames; returns how many elements were looked at.
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

/** The steps of a larger work: the share of the whole that they stand for. */
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

import { runInSlices as runSlices, type SliceHost } from '../../../core/text/slices.ts';

/** Milliseconds of work before the page gets to its frames and keys again. */
const SLICE = 6;

/** Work that goes on between frames. */
export interface SlicedWork {
  /** Ends it where it stands; its end is not told. */
  stop(): void;
}

/** What work tells while it goes on. */
export interface SlicedWatcher<Step, Result> {
  /** The last step of each slice, such as how much is done, from 0 to 1. */
  readonly onProgress?: (step: Step) => void;
  readonly onEnd: (result: Result) => void;
}

/** Runs a generator in slices of a few milliseconds. Nothing of it runs before this returns. */
export function runInSlices<Step, Result>(
  work: Generator<Step, Result>,
  { onProgress, onEnd }: SlicedWatcher<Step, Result>,
): SlicedWork {
  let isStopped = false;
  const host: SliceHost = {
    slice: SLICE,
    now: () => performance.now(),
    yieldToQueue: () => new Promise(resolve => setTimeout(resolve)),
    isStopped: () => isStopped,
  };
  const onSlice = (step: Step): void => onProgress?.(step);
  void host.yieldToQueue().then(async () => {
    const end = isStopped ? undefined : await runSlices(work, host, onSlice);
    if (end && !isStopped) onEnd(end.result);
  });
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

/** Runs the first slice of work at once. True where it is over with that. */
export function runSlice(work: Generator<unknown, unknown>): boolean {
  const end = performance.now() + SLICE;
  while (performance.now() < end) if (work.next().done) return true;
  return false;
}

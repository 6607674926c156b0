import { runInSlices as runSlices, type SliceHost } from '../../../core/text/slices.ts';

/** Milliseconds of work after which the page handles frames and keys. */
const SLICE = 6;

/** Work that runs between frames. */
export interface SlicedWork {
  /** Stops the work; `onEnd` is not called. */
  stop(): void;
}

/** Callbacks of sliced work. */
export interface SlicedWatcher<Step, Result> {
  /** Receives the last step of each slice, such as the completed share from 0 to 1. */
  readonly onProgress?: (step: Step) => void;
  readonly onEnd: (result: Result) => void;
}

/** Runs a generator in slices of a few milliseconds. It starts only after this function has returned. */
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

/** Runs the first slice of work synchronously. Returns true if that completes it. */
export function runSlice(work: Generator<unknown, unknown>): boolean {
  const end = performance.now() + SLICE;
  while (performance.now() < end) if (work.next().done) return true;
  return false;
}

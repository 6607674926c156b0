/** Milliseconds of work before the page gets to its frames and keys again. */
const SLICE = 6;

/** Work that goes on between frames. */
export interface SlicedWork {
  /** Ends it where it stands; its end is not told. */
  stop(): void;
}

/** What work tells while it goes on. */
export interface SlicedWatcher<Result> {
  /** How much is done, from 0 to 1; once a slice. */
  readonly onProgress?: (share: number) => void;
  readonly onEnd: (result: Result) => void;
}

/**
 * Runs a generator in slices of a few milliseconds. It yields how much of it is done, from 0 to 1, at least once a
 * millisecond. Nothing of it runs before this returns.
 */
export function runInSlices<Result>(
  work: Generator<number, Result>,
  { onProgress, onEnd }: SlicedWatcher<Result>,
): SlicedWork {
  let isStopped = false;
  const runSlice = (): void => {
    if (isStopped) return;
    const end = performance.now() + SLICE;
    for (;;) {
      const step = work.next();
      if (step.done) return onEnd(step.value);
      if (performance.now() < end) continue;
      onProgress?.(step.value);
      // Progress may have stopped it.
      setTimeout(runSlice);
      return;
    }
  };
  setTimeout(runSlice);
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

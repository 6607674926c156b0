import type { NumberSource } from '../../../tensor/numbers.ts';
import { findQuantiles, quantileSteps, type Quantiles } from '../../../tensor/quantiles.ts';
import { gatherStatistics, statisticsSteps, type Statistics } from '../../../tensor/statistics.ts';
import { runInSlices, type SlicedWork } from '../shared/slices.ts';

/** The quantiles of the summary line, from 0 to 1. */
export const SHARES = [0.01, 0.5, 0.99] as const;

/** The size of the sample that is shown first; it takes a few milliseconds. */
const SAMPLE = 16_384;

/** The statistics of a tensor computed so far. */
export interface Summary {
  readonly statistics: Statistics;
  readonly quantiles: Quantiles;
  /** The completed share of the exact work, from 0 to 1; undefined once it is complete. */
  readonly progress: number | undefined;
}

/** Summarises a tensor: a sample immediately if it is large, then all elements between frames. */
export function summarise(numbers: NumberSource, onChange: (summary: Summary) => void): SlicedWork {
  let summary: Summary = {
    statistics: gatherStatistics(numbers, SAMPLE),
    quantiles: findQuantiles(numbers, SHARES, SAMPLE),
    progress: numbers.length > SAMPLE ? 0 : undefined,
  };
  const change = (part: Partial<Summary>): void => {
    summary = { ...summary, ...part };
    onChange(summary);
  };
  change({});
  if (summary.progress === undefined) return { stop: () => undefined };
  // Statistics take one pass over the data, quantiles four.
  let work = runInSlices(statisticsSteps(numbers), {
    onProgress: share => change({ progress: share / 5 }),
    onEnd: statistics => {
      change({ statistics, progress: 1 / 5 });
      work = runInSlices(quantileSteps(numbers, SHARES), {
        onProgress: share => change({ progress: (1 + share * 4) / 5 }),
        onEnd: quantiles => change({ quantiles, progress: undefined }),
      });
    },
  });
  return { stop: () => work.stop() };
}

import { compareSteps, type Comparison } from '../../../../tensor/compare.ts';
import { differencesOf } from '../../../../tensor/differences.ts';
import { histogramSteps, type Histogram } from '../../../../tensor/histogram.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { partOf } from '../../../../tensor/runs.ts';
import type { Compared } from './compare-facts.ts';

/** The result of a comparison as displayed. */
export interface Findings {
  readonly compared: Compared;
  readonly comparison: Comparison;
  /** The first tensor minus the second, element by element. */
  readonly differences: NumberSource;
  readonly histogram: Histogram;
}

/** Compares two tensors of one shape. Yields the completed share from 0 to 1. */
export function* findDifferences(compared: Compared): Generator<number, Findings> {
  const { one, other } = compared;
  const comparison = yield* partOf(compareSteps(one, other), { from: 0, to: 0.5 });
  const differences = differencesOf(one, other);
  const histogram = yield* partOf(histogramSteps(differences, { scale: 'linear', bins: 'auto' }), {
    from: 0.5,
    to: 1,
  });
  return { compared, comparison, differences, histogram };
}

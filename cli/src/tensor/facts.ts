import { readElement } from '../../../tensor/elements.ts';
import { numbersOf } from '../../../tensor/numbers.ts';
import { gatherStatistics, type Statistics } from '../../../tensor/statistics.ts';
import { placeOf, type Tensor } from '../../../tensor/tensor.ts';

/** Statistics over all elements of a tensor. Extremes of 64-bit integers are exact. */
export interface Facts extends Omit<Statistics, 'min' | 'max' | 'looked' | 'minAt' | 'maxAt'> {
  readonly min: number | bigint | undefined;
  readonly max: number | bigint | undefined;
  /** The position of the first minimum and the first maximum, one index per axis. */
  readonly minAt: readonly number[] | undefined;
  readonly maxAt: readonly number[] | undefined;
}

export function gatherFacts(tensor: Tensor): Facts {
  const { min, max, minAt, maxAt, count, mean, std, nan, positiveInfinity, negativeInfinity, zeros } =
    gatherStatistics(numbersOf(tensor));
  const exact = (value: number | undefined, index: number | undefined): number | bigint | undefined => {
    if (index === undefined) return value;
    const element = readElement(tensor, index);
    return typeof element === 'bigint' ? element : value;
  };
  const place = (index: number | undefined): readonly number[] | undefined =>
    index === undefined ? undefined : placeOf(tensor.shape, index);
  return {
    count,
    min: exact(min, minAt),
    minAt: place(minAt),
    max: exact(max, maxAt),
    maxAt: place(maxAt),
    mean,
    std,
    nan,
    positiveInfinity,
    negativeInfinity,
    zeros,
  };
}

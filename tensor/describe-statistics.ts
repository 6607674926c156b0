import { countOf, showCount, joinWords } from '../core/text/count.ts';
import { shortNumber } from './describe-number.ts';
import type { Statistics } from './statistics.ts';

/** Describes a sample: `a sample of 65,536 of 2,621,440 elements`; undefined if all elements were read. */
export function describeSample({ looked, count }: Pick<Statistics, 'looked' | 'count'>): string | undefined {
  return looked < count ? `a sample of ${showCount(looked)} of ${countOf(count, 'element')}` : undefined;
}

/** Statistics as one sentence without a full stop: `min −1.2, max 3.4, mean 0.01, std 0.98; 12 zeros, 3 NaN`. */
export function describeStatistics(statistics: Statistics): string {
  const { count, min, max, mean, std } = statistics;
  if (count === 0) return 'no elements';
  const values =
    min === undefined || max === undefined
      ? 'no finite number'
      : `min ${shortNumber(min)}, max ${shortNumber(max)}, mean ${shortNumber(mean)}, std ${shortNumber(std)}`;
  const counts = describeCounts(statistics);
  const sample = describeSample(statistics);
  return [values, counts, sample].filter(part => part !== undefined).join('; ');
}

/** Counts of zeros and of values that are not finite: `12 zeros, 3 NaN and 1 −Inf`; undefined if there are none. */
export function describeCounts(counts: {
  readonly zeros: number;
  readonly nan: number;
  readonly positiveInfinity: number;
  readonly negativeInfinity: number;
}): string | undefined {
  const words = [
    [counts.zeros, counts.zeros === 1 ? 'zero' : 'zeros'],
    [counts.nan, 'NaN'],
    [counts.positiveInfinity, 'Inf'],
    [counts.negativeInfinity, '−Inf'],
  ] as const;
  const found = words.filter(([count]) => count > 0).map(([count, word]) => `${showCount(count)} ${word}`);
  return found.length > 0 ? joinWords(found, 'and') : undefined;
}

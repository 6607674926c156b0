import { countOf, showCount, joinWords } from '../core/text/count.ts';
import type { Statistics } from './statistics.ts';

/** Describes a sample: `a sample of 65,536 of 2,621,440 elements`; undefined if all elements were read. */
export function describeSample({ looked, count }: Pick<Statistics, 'looked' | 'count'>): string | undefined {
  return looked < count ? `a sample of ${showCount(looked)} of ${countOf(count, 'element')}` : undefined;
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

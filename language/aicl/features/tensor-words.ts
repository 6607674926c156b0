import { shortNumber, shortRange } from '../../../tensor/describe-number.ts';
import { describeSample } from '../../../tensor/describe-statistics.ts';
import { showCount } from '../../../core/text/count.ts';
import type { TensorFacts } from './tensor-facts.ts';

/**
 * A summary of a tensor's elements that fits into a line: `−1.2…3.4 · mean 0.01 · 3 NaN`. Values from a
 * sample start with `≈`. Empty for a tensor without elements.
 */
export function summarizeFacts({ kind, statistics }: TensorFacts): string {
  const { count, looked, zeros, min, max, mean } = statistics;
  if (count === 0) return '';
  const isSample = looked < count;
  if (kind === 'bool') {
    const trues = looked - zeros;
    return isSample
      ? `≈ ${shortNumber((trues / looked) * 100)} % true`
      : `${showCount(trues)} of ${showCount(count)} true`;
  }
  const parts: string[] = [];
  const infinite = statistics.positiveInfinity + statistics.negativeInfinity;
  const about = `${isSample ? '≈ ' : ''}${kind === 'complex' ? 'magnitude ' : ''}`;
  if (min === undefined || max === undefined) parts.push('no finite number');
  else if (min === max) {
    const which = count === 1 ? '' : statistics.nan + infinite === 0 ? 'all ' : 'finite ';
    parts.push(about + which + shortNumber(min));
  } else parts.push(about + shortRange({ min, max }), `mean ${shortNumber(mean)}`);
  for (const { found, word } of [
    { found: statistics.nan, word: 'NaN' },
    { found: infinite, word: 'Inf' },
  ])
    if (found > 0) parts.push(isSample ? `has ${word}` : `${showCount(found)} ${word}`);
  return parts.join(' · ');
}

/** The facts about a tensor's elements, one per line: extremes exact, mean and deviation rounded. */
export function listFacts({ kind, statistics, min, max }: TensorFacts): readonly string[] {
  const { count, looked, zeros, nan, positiveInfinity, negativeInfinity, mean, std } = statistics;
  if (count === 0) return [];
  const sample = describeSample(statistics);
  const lines = sample === undefined ? [] : [`${sample}, evenly spread, has`];
  if (kind === 'bool') return [...lines, `true ${showCount(looked - zeros)}, false ${showCount(zeros)}`];
  if (min === undefined || max === undefined) lines.push('no finite number');
  else {
    const about = kind === 'complex' ? 'of the magnitudes ' : '';
    lines.push(
      kind === 'complex' ? describeMagnitudes(statistics, { min, max }) : `min ${min}, max ${max}`,
      `${about}mean ${shortNumber(mean)}, std ${shortNumber(std)}`,
    );
  }
  const infinite = positiveInfinity + negativeInfinity;
  const signs = negativeInfinity > 0 ? ` (${showCount(negativeInfinity)} negative)` : '';
  const others = `NaN ${showCount(nan)}, Inf ${showCount(infinite)}${signs}, `;
  return [...lines, `${kind === 'float' || kind === 'complex' ? others : ''}zeros ${showCount(zeros)}`];
}

/** Complex numbers have no order, so the elements with the smallest and largest magnitude are described. */
function describeMagnitudes(
  { min = 0, max = 0 }: TensorFacts['statistics'],
  elements: { readonly min: string; readonly max: string },
): string {
  return `of the magnitudes min ${shortNumber(min)} (${elements.min}), max ${shortNumber(max)} (${elements.max})`;
}

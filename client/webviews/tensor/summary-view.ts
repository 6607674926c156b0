import { describeSample } from '../../../tensor/describe-statistics.ts';
import { shortNumber } from '../../../tensor/describe-number.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { showCount } from '../../../core/text/count.ts';
import { Button } from '../shared/buttons.ts';
import { h, type View } from '../shared/view.ts';
import type { Summary } from './summary-work.ts';
import { exactText } from './value-line.ts';

interface SummaryProps {
  readonly tensor: Tensor;
  readonly summary: Summary;
  readonly onSelect: (index: number) => void;
}

/** A figure of the summary line, with its meaning, and the element to select if it is the value of one. */
interface Figure {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
  readonly at?: number | undefined;
}

/** The summary line: figures of the whole tensor. Those of a sample are marked with `≈`. */
export function SummaryLine({ tensor, summary, onSelect }: SummaryProps): View {
  const { looked, count } = summary.statistics;
  const share = summary.progress === undefined ? '' : `${Math.floor(summary.progress * 100)} %`;
  const sample = describeSample({ looked, count });
  return h(
    'div',
    { class: 'summary number', role: 'group', 'aria-label': 'Statistics of the whole tensor' },
    listFigures(tensor, summary).map(({ name, value, meaning, at }) =>
      h(
        'span',
        { key: name, class: 'figure', title: meaning },
        h('span', { class: 'muted' }, `${name} `),
        at === undefined
          ? h('span', { class: 'figure-value' }, value)
          : h(Button, { class: 'link figure-value', label: value, onClick: () => onSelect(at) }),
      ),
    ),
    h('span', { class: 'muted', role: 'status' }, sample === undefined ? share : `≈ ${sample} · ${share}`),
  );
}

function listFigures(tensor: Tensor, { statistics, quantiles }: Summary): readonly Figure[] {
  const isSample = statistics.looked < statistics.count;
  const about = isSample ? '≈ ' : '';
  const aboutQuantiles = quantiles.looked < quantiles.count ? '≈ ' : '';
  const { min, max, minAt, maxAt, mean, std, nan, positiveInfinity, negativeInfinity, zeros } = statistics;
  const isWhole = /^(u?int|bool)/.test(tensor.dtype);
  const extreme = (value: number | undefined, at: number | undefined): string => {
    if (value === undefined || at === undefined) return 'none';
    return `${about}${isWhole ? exactText(tensor, at).replace('-', '−') : shortNumber(value)}`;
  };
  const average = (value: number): string => (min === undefined ? 'none' : `${about}${shortNumber(value)}`);
  // The counts of a sample are lower bounds.
  const counted = (count: number): string => `${isSample ? '≥ ' : ''}${showCount(count)}`;
  const quantile = (at: number): string => {
    const value = quantiles.values[at] ?? Number.NaN;
    return Number.isNaN(value) ? 'none' : `${aboutQuantiles}${shortNumber(value)}`;
  };
  const select = 'Click to select it.';
  return [
    { name: 'min', value: extreme(min, minAt), meaning: `Smallest finite value. ${select}`, at: minAt },
    { name: 'max', value: extreme(max, maxAt), meaning: `Largest finite value. ${select}`, at: maxAt },
    { name: 'mean', value: average(mean), meaning: 'Mean of the finite values' },
    {
      name: 'std',
      value: average(std),
      meaning: 'Standard deviation of the finite values, divided by their count',
    },
    { name: 'NaN', value: counted(nan), meaning: 'Values that are not a number' },
    {
      name: 'Inf',
      value: counted(positiveInfinity + negativeInfinity),
      meaning: 'Infinities of both signs',
    },
    { name: 'zeros', value: counted(zeros), meaning: 'Zeros of both signs' },
    { name: 'q1', value: quantile(0), meaning: '1 % of the finite values are at most this' },
    { name: 'q50', value: quantile(1), meaning: 'Half of the finite values are at most this' },
    { name: 'q99', value: quantile(2), meaning: '99 % of the finite values are at most this' },
  ];
}

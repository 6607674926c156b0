import { describeSample } from '../../../tensor/describe-statistics.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { showCount } from '../../../core/text/count.ts';
import { element, setText } from '../shared/element.ts';
import type { Summary } from './summary-work.ts';
import { shortNumber } from '../../../tensor/describe-number.ts';
import { exactText } from './value-line.ts';

/** The names of the figures in order, with their meaning. */
const FIGURES = {
  min: 'Smallest finite value. Click to select it.',
  max: 'Largest finite value. Click to select it.',
  mean: 'Mean of the finite values',
  std: 'Standard deviation of the finite values, divided by their count',
  NaN: 'Values that are not a number',
  Inf: 'Infinities of both signs',
  zeros: 'Zeros of both signs',
  q1: '1 % of the finite values are at most this',
  q50: 'Half of the finite values are at most this',
  q99: '99 % of the finite values are at most this',
} as const;

type FigureName = keyof typeof FIGURES;

const NAMES: readonly FigureName[] = ['min', 'max', 'mean', 'std', 'NaN', 'Inf', 'zeros', 'q1', 'q50', 'q99'];

/** The summary line: figures of the whole tensor. Those of a sample are marked with `≈`. */
export class SummaryView {
  readonly #onSelect: (index: number) => void;
  readonly #values = new Map<FigureName, HTMLElement>();
  readonly #note = element('span', { class: 'muted', role: 'status' });
  #extremes: Readonly<Partial<Record<FigureName, number>>> = {};
  readonly root: HTMLElement;

  constructor(onSelect: (index: number) => void) {
    this.#onSelect = onSelect;
    const figures = NAMES.map(name => this.#build(name));
    this.root = element(
      'div',
      { class: 'summary', role: 'group', attributes: { 'aria-label': 'Statistics of the whole tensor' } },
      ...figures,
      this.#note,
    );
  }

  update(tensor: Tensor, summary: Summary | undefined): void {
    this.root.hidden = summary === undefined;
    if (!summary) return;
    const texts = showFigures(tensor, summary);
    for (const [name, target] of this.#values) setText(target, texts[name]);
    const { minAt, maxAt, looked, count } = summary.statistics;
    this.#extremes = {
      ...(minAt === undefined ? {} : { min: minAt }),
      ...(maxAt === undefined ? {} : { max: maxAt }),
    };
    for (const name of ['min', 'max'] as const) {
      const target = this.#values.get(name);
      if (target instanceof HTMLButtonElement) target.disabled = this.#extremes[name] === undefined;
    }
    const share = summary.progress === undefined ? '' : `${Math.floor(summary.progress * 100)} %`;
    const sample = describeSample({ looked, count });
    setText(this.#note, sample === undefined ? share : `≈ ${sample} · ${share}`);
  }

  #build(name: FigureName): HTMLElement {
    const isExtreme = name === 'min' || name === 'max';
    const value = isExtreme
      ? element('button', {
          class: 'link figure-value',
          attributes: { type: 'button' },
          onClick: () => this.#select(name),
        })
      : element('span', { class: 'figure-value' });
    this.#values.set(name, value);
    return element(
      'span',
      { class: 'figure', attributes: { title: FIGURES[name] } },
      element('span', { class: 'muted' }, `${name} `),
      value,
    );
  }

  #select(name: FigureName): void {
    const index = this.#extremes[name];
    if (index !== undefined) this.#onSelect(index);
  }
}

function showFigures(
  tensor: Tensor,
  { statistics, quantiles }: Summary,
): Readonly<Record<FigureName, string>> {
  const about = statistics.looked < statistics.count ? '≈ ' : '';
  const aboutQuantiles = quantiles.looked < quantiles.count ? '≈ ' : '';
  const { min, max, minAt, maxAt, mean, std, nan, positiveInfinity, negativeInfinity, zeros } = statistics;
  const quantile = (value = Number.NaN): string =>
    Number.isNaN(value) ? 'none' : `${aboutQuantiles}${shortNumber(value)}`;
  const [q1, q50, q99] = quantiles.values.map(value => quantile(value));
  const isWhole = /^(u?int|bool)/.test(tensor.dtype);
  const extreme = (value: number | undefined, at: number | undefined): string => {
    if (value === undefined || at === undefined) return 'none';
    return `${about}${isWhole ? exactText(tensor, at).replace('-', '−') : shortNumber(value)}`;
  };
  // The counts of a sample are lower bounds.
  const counted = (count: number): string => `${about === '' ? '' : '≥ '}${showCount(count)}`;
  return {
    min: extreme(min, minAt),
    max: extreme(max, maxAt),
    mean: min === undefined ? 'none' : `${about}${shortNumber(mean)}`,
    std: min === undefined ? 'none' : `${about}${shortNumber(std)}`,
    NaN: counted(nan),
    Inf: counted(positiveInfinity + negativeInfinity),
    zeros: counted(zeros),
    q1: q1 ?? '',
    q50: q50 ?? '',
    q99: q99 ?? '',
  };
}

import './histogram.css';
import { histogramSteps, type Histogram } from '../../../../tensor/histogram.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { element, setText } from '../../shared/element.ts';
import { buildSelect } from '../../shared/select.ts';
import { COUNT_SCALES, type CountScale } from './histogram-bars.ts';
import { HistogramChart } from './histogram-chart.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import type { InspectorActions, InspectorView, Shown } from '../view.ts';

const VALUE_SCALES = [
  { name: 'linear', title: 'Linear' },
  { name: 'log', title: 'Logarithm of the magnitude' },
] as const satisfies readonly { readonly name: Histogram['scale']; readonly title: string }[];

/** A histogram of the values of the whole tensor. */
export class HistogramView implements InspectorView {
  readonly name = 'histogram';
  readonly title = 'Histogram';
  readonly showsAllAxes = true;
  readonly #actions: InspectorActions;
  readonly #values: HTMLSelectElement;
  readonly #counts: HTMLSelectElement;
  readonly #progress = element('span', { class: 'muted number', role: 'status' });
  readonly #chart = new HistogramChart('Histogram');
  readonly #empty = element(
    'p',
    { class: 'empty' },
    'This tensor has no elements, so there is nothing to count.',
  );
  readonly tools: HTMLElement;
  readonly root = element('section', { class: 'view histogram-view' }, this.#chart.root, this.#empty);
  #shown: Shown | undefined;
  #work:
    | { readonly of: NumberSource; readonly scale: Histogram['scale']; readonly sliced: SlicedWork }
    | undefined;
  #counted: { readonly of: NumberSource; readonly histogram: Histogram } | undefined;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
    const optionsOf = (
      rows: readonly { name: string; title: string }[],
    ): { value: string; label: string }[] => rows.map(({ name, title }) => ({ value: name, label: title }));
    this.#values = buildSelect(optionsOf(VALUE_SCALES), () => this.#chosen());
    this.#counts = buildSelect(optionsOf(COUNT_SCALES), () => this.#chosen());
    this.#values.value = actions.stored('histogram.values') === 'log' ? 'log' : 'linear';
    this.#counts.value = actions.stored('histogram.counts') === 'log' ? 'log' : 'linear';
    this.tools = element(
      'div',
      { class: 'tools' },
      element('label', { class: 'field' }, 'Values', this.#values),
      element('label', { class: 'field' }, 'Counts', this.#counts),
      this.#progress,
    );
  }

  show(shown: Shown): void {
    if (this.#shown?.subject.id !== shown.subject.id) this.#counted = undefined;
    this.#shown = shown;
    this.#draw(shown);
  }

  hide(): void {
    this.#work?.sliced.stop();
    this.#work = undefined;
  }

  #chosen(): void {
    this.#actions.keep('histogram.values', this.#scale);
    this.#actions.keep('histogram.counts', this.#countScale);
    if (this.#shown) this.#draw(this.#shown);
  }

  get #scale(): Histogram['scale'] {
    return this.#values.value === 'log' ? 'log' : 'linear';
  }

  get #countScale(): CountScale {
    return this.#counts.value === 'log' ? 'log' : 'linear';
  }

  #draw({ numbers, selected }: Shown): void {
    const isEmpty = selected === undefined;
    this.#empty.hidden = !isEmpty;
    this.tools.hidden = isEmpty;
    const counted = this.#counted;
    // The old bars stay visible until the new ones are computed.
    this.#chart.root.hidden = isEmpty || !counted;
    if (isEmpty) return this.hide();
    if (counted?.of !== numbers || counted.histogram.scale !== this.#scale) this.#count(numbers);
    else setText(this.#progress, '');
    if (counted) this.#chart.show({ histogram: counted.histogram, counts: this.#countScale });
  }

  #count(numbers: NumberSource): void {
    const scale = this.#scale;
    if (this.#work?.of === numbers && this.#work.scale === scale) return;
    this.#work?.sliced.stop();
    const sliced = runInSlices(histogramSteps(numbers, { scale, bins: 'auto' }), {
      onProgress: share => setText(this.#progress, `Counting, ${Math.floor(share * 100)} %`),
      onEnd: histogram => {
        this.#work = undefined;
        this.#counted = { of: numbers, histogram };
        if (this.#shown) this.#draw(this.#shown);
      },
    });
    this.#work = { of: numbers, scale, sliced };
  }
}

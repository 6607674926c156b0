import './histogram.css';
import { histogramSteps, type Histogram } from '../../../../tensor/histogram.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { element } from '../../shared/element.ts';
import { buildChoice } from '../../shared/buttons.ts';
import { h, type View } from '../../shared/view.ts';
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
  #progress = '';
  readonly #chart = new HistogramChart('Histogram');
  readonly #empty = element(
    'p',
    { class: 'empty' },
    'This tensor has no elements, so there is nothing to count.',
  );
  readonly root = element('section', { class: 'view histogram-view stack' }, this.#chart.root, this.#empty);
  #shown: Shown | undefined;
  #work:
    | { readonly of: NumberSource; readonly scale: Histogram['scale']; readonly sliced: SlicedWork }
    | undefined;
  #counted: { readonly of: NumberSource; readonly histogram: Histogram } | undefined;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
  }

  tools({ selected }: Shown): View | undefined {
    if (selected === undefined) return undefined;
    const keep = (name: 'values' | 'counts', chosen: string): void => {
      this.#actions.keep(`histogram.${name}`, chosen);
      if (this.#shown) this.#draw(this.#shown);
      this.#actions.toolsChanged();
    };
    return h(
      'div',
      { class: 'tools' },
      buildChoice({
        label: 'Values',
        rows: VALUE_SCALES,
        value: this.#scale,
        onChoose: chosen => keep('values', chosen),
      }),
      buildChoice({
        label: 'Counts',
        rows: COUNT_SCALES,
        value: this.#countScale,
        onChoose: chosen => keep('counts', chosen),
      }),
      h('span', { class: 'muted number', role: 'status' }, this.#progress),
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

  #report(progress: string): void {
    if (this.#progress === progress) return;
    this.#progress = progress;
    this.#actions.toolsChanged();
  }

  get #scale(): Histogram['scale'] {
    return this.#actions.stored('histogram.values') === 'log' ? 'log' : 'linear';
  }

  get #countScale(): CountScale {
    return this.#actions.stored('histogram.counts') === 'log' ? 'log' : 'linear';
  }

  #draw({ numbers, selected }: Shown): void {
    const isEmpty = selected === undefined;
    this.#empty.hidden = !isEmpty;
    const counted = this.#counted;
    // The old bars stay visible until the new ones are computed.
    this.#chart.root.hidden = isEmpty || !counted;
    if (isEmpty) return this.hide();
    if (counted?.of !== numbers || counted.histogram.scale !== this.#scale) this.#count(numbers);
    else this.#report('');
    if (counted) this.#chart.show({ histogram: counted.histogram, counts: this.#countScale });
  }

  #count(numbers: NumberSource): void {
    const scale = this.#scale;
    if (this.#work?.of === numbers && this.#work.scale === scale) return;
    this.#work?.sliced.stop();
    const sliced = runInSlices(histogramSteps(numbers, { scale, bins: 'auto' }), {
      onProgress: share => this.#report(`Counting, ${Math.floor(share * 100)} %`),
      onEnd: histogram => {
        this.#work = undefined;
        this.#counted = { of: numbers, histogram };
        if (this.#shown) this.#draw(this.#shown);
      },
    });
    this.#work = { of: numbers, scale, sliced };
  }
}

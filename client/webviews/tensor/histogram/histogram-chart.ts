import { describeHistogram } from '../../../../tensor/describe-picture.ts';
import type { Histogram } from '../../../../tensor/histogram.ts';
import { element } from '../../shared/element.ts';
import { draw, h, type View } from '../../shared/view.ts';
import { describeBar, layOutBars, listApart, type BarChart, type CountScale } from './histogram-bars.ts';

/** The input of a histogram chart. */
export interface ShownHistogram {
  readonly histogram: Histogram;
  readonly counts: CountScale;
}

/** Keys that move between bars, with the number of bars to move. Infinite steps go to the ends. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['PageUp', -10],
  ['PageDown', 10],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** Bars that show range and count for pointer and keys, the same data as a table, and the values in no bar. */
export class HistogramChart {
  /** The name of the counted values for screen readers. */
  readonly #title: string;
  readonly root = element('div', { class: 'histogram stack' });
  #shown: ShownHistogram | undefined;
  /** The index of the bar under the pointer or of the last key. */
  #current: number | undefined;

  constructor(title: string) {
    this.#title = title;
  }

  show(shown: ShownHistogram): void {
    this.#shown = shown;
    this.#draw(shown);
  }

  #draw({ histogram, counts }: ShownHistogram): void {
    const chart = layOutBars(histogram, counts);
    const current = this.#current === undefined ? undefined : chart.bars[this.#current];
    const words = describeHistogram(histogram);
    draw(
      this.root,
      this.#buildChart(chart, words),
      h(
        'div',
        { class: 'legend' },
        h('p', { class: 'readout number', role: 'status' }, current ? describeBar(current) : ''),
        h('p', { class: 'apart number' }, listApart(histogram).join(' · ')),
        h('p', { class: 'caption muted' }, `${words}.`),
      ),
      h('div', { class: 'visually-hidden' }, this.#buildTable(chart)),
    );
  }

  #buildChart({ bars, ticks, edges }: BarChart, words: string): View {
    return h(
      'div',
      {
        class: 'chart',
        role: 'application',
        tabIndex: 0,
        'aria-label': `${this.#title}: arrow keys move from bar to bar`,
        onPointerMove: event => {
          const box = this.root.querySelector('.bars')?.getBoundingClientRect();
          const at = box ? Math.floor(((event.clientX - box.left) / box.width) * bars.length) : -1;
          this.#point(at >= 0 && at < bars.length ? at : undefined);
        },
        onPointerLeave: () => this.#point(undefined),
        onBlur: () => this.#point(undefined),
        onKeyDown: event => this.#onKey(event, bars.length - 1),
      },
      h(
        'div',
        { class: 'ticks number muted', 'aria-hidden': true },
        ticks.map(({ at, text }) => h('span', { style: `inset-block-end: ${at * 100}%` }, text)),
      ),
      h(
        'div',
        { class: 'bars', role: 'img', 'aria-label': words },
        bars.map(({ height, count }, at) =>
          h(
            'div',
            { class: at === this.#current ? 'slot current' : 'slot' },
            h('div', {
              class: count === '0' ? 'count-bar none' : 'count-bar',
              style: `height: ${height * 100}%`,
            }),
          ),
        ),
      ),
      h(
        'div',
        { class: 'edges number muted', 'aria-hidden': true },
        edges.map(({ at, text }) => {
          // The first label starts at its position, the last label ends there.
          const style = `inset-inline-start: ${at * 100}%; transform: translateX(${at * -100}%)`;
          return h('span', { style }, text);
        }),
      ),
    );
  }

  #buildTable({ bars }: BarChart): View {
    const heads = ['Values', 'Elements', 'Share'].map(head => h('th', { scope: 'col' }, head));
    const rows = bars.map(({ range, count, share }) => {
      const cells = [range, count, share].map(text => h('td', {}, text));
      return h('tr', {}, cells);
    });
    return h(
      'table',
      {},
      h('caption', {}, this.#title),
      h('thead', {}, h('tr', {}, heads)),
      h('tbody', {}, rows),
    );
  }

  #onKey(event: KeyboardEvent, last: number): void {
    const step = STEPS.get(event.key);
    if (step === undefined || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    // The first key selects the first or the last bar.
    const from = this.#current ?? (step > 0 ? -1 : last + 1);
    this.#point(Math.max(0, Math.min(last, from + step)));
  }

  #point(at: number | undefined): void {
    if (at === this.#current) return;
    this.#current = at;
    if (this.#shown) this.#draw(this.#shown);
  }
}

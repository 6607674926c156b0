import { describeHistogram } from '../../../../tensor/describe-picture.ts';
import type { Histogram } from '../../../../tensor/histogram.ts';
import { element, setText } from '../../shared/element.ts';
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
  readonly #bars = element('div', { class: 'bars', role: 'img' });
  readonly #ticks = element('div', { class: 'ticks number muted', attributes: { 'aria-hidden': 'true' } });
  readonly #edges = element('div', { class: 'edges number muted', attributes: { 'aria-hidden': 'true' } });
  readonly #frame: HTMLElement;
  readonly #apart = element('p', { class: 'apart number' });
  readonly #readout = element('p', { class: 'readout number', role: 'status' });
  readonly #caption = element('p', { class: 'caption muted' });
  readonly #rows = element('tbody', {});
  #chart: BarChart = { bars: [], ticks: [], edges: [] };
  #current: number | undefined;

  readonly root: HTMLElement;

  /** `title` names the counted values for screen readers. */
  constructor(title: string) {
    this.#frame = element(
      'div',
      {
        class: 'chart',
        role: 'application',
        attributes: { tabindex: '0', 'aria-label': `${title}: arrow keys move from bar to bar` },
      },
      this.#ticks,
      this.#bars,
      this.#edges,
    );
    this.root = element(
      'div',
      { class: 'histogram' },
      this.#frame,
      element('div', { class: 'legend' }, this.#readout, this.#apart, this.#caption),
      element('div', { class: 'visually-hidden' }, this.#buildTable(title)),
    );
    this.#listen();
  }

  show({ histogram, counts }: ShownHistogram): void {
    const words = describeHistogram(histogram);
    this.#chart = layOutBars(histogram, counts);
    this.#bars.setAttribute('aria-label', words);
    setText(this.#caption, `${words}.`);
    setText(this.#apart, listApart(histogram).join(' · '));
    this.#drawBars();
    this.#drawAxes();
    this.#rows.replaceChildren(
      ...this.#chart.bars.map(({ range, count, share }) =>
        element('tr', {}, ...[range, count, share].map(text => element('td', {}, text))),
      ),
    );
    const last = this.#chart.bars.length - 1;
    this.#point(this.#current === undefined || last < 0 ? undefined : Math.min(this.#current, last));
  }

  /** Reuses the existing bars, so that only differences change. */
  #drawBars(): void {
    const { bars } = this.#chart;
    while (this.#bars.childElementCount > bars.length) this.#bars.lastElementChild?.remove();
    while (this.#bars.childElementCount < bars.length)
      this.#bars.append(element('div', { class: 'slot' }, element('div', { class: 'count-bar' })));
    for (const [at, { height, count }] of bars.entries()) {
      const bar = this.#bars.children[at]?.firstElementChild;
      if (!(bar instanceof HTMLElement)) continue;
      bar.style.height = `${height * 100}%`;
      bar.classList.toggle('none', count === '0');
    }
  }

  #drawAxes(): void {
    const { ticks, edges } = this.#chart;
    this.#ticks.replaceChildren(
      ...ticks.map(({ at, text }) => {
        const tick = element('span', {}, text);
        tick.style.insetBlockEnd = `${at * 100}%`;
        return tick;
      }),
    );
    this.#edges.replaceChildren(
      ...edges.map(({ at, text }) => {
        const edge = element('span', {}, text);
        edge.style.insetInlineStart = `${at * 100}%`;
        // The first label starts at its position, the last label ends there.
        edge.style.transform = `translateX(${at * -100}%)`;
        return edge;
      }),
    );
  }

  #buildTable(title: string): HTMLElement {
    const heads = ['Values', 'Elements', 'Share'].map(head =>
      element('th', { attributes: { scope: 'col' } }, head),
    );
    const head = element('thead', {}, element('tr', {}, ...heads));
    return element('table', {}, element('caption', {}, title), head, this.#rows);
  }

  #listen(): void {
    this.#frame.addEventListener('pointermove', event => {
      const box = this.#bars.getBoundingClientRect();
      const at = Math.floor(((event.clientX - box.left) / box.width) * this.#chart.bars.length);
      this.#point(at >= 0 && at < this.#chart.bars.length ? at : undefined);
    });
    this.#frame.addEventListener('pointerleave', () => this.#point(undefined));
    this.#frame.addEventListener('blur', () => this.#point(undefined));
    this.#frame.addEventListener('keydown', event => {
      const step = STEPS.get(event.key);
      const last = this.#chart.bars.length - 1;
      if (step === undefined || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      // The first key selects the first or the last bar.
      const from = this.#current ?? (step > 0 ? -1 : last + 1);
      this.#point(Math.max(0, Math.min(last, from + step)));
    });
  }

  #point(at: number | undefined): void {
    this.#current = at;
    for (const [index, slot] of [...this.#bars.children].entries())
      slot.classList.toggle('current', index === at);
    const bar = at === undefined ? undefined : this.#chart.bars[at];
    setText(this.#readout, bar ? describeBar(bar) : '');
  }
}

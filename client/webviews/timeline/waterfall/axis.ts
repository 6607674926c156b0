import { element } from '../../shared/element.ts';
import { draw, h } from '../../shared/view.ts';
import { shareAt, type AxisTick, type TimeSpan } from './time-scale.ts';

/** Callbacks of the axis to the view. Shares of the visible span go from 0 to 1. */
export interface AxisHost {
  /** The user dragged over a part of the axis, which is to be zoomed to the full width. */
  zoomTo(from: number, to: number): void;
}

/** Movement of the pointer in pixels from which a press is a drag. */
const DRAG = 4;

/** The time axis over the bars. A drag zooms to the dragged range. */
export class TimeAxis {
  readonly #labels = element('div', { class: 'axis-labels' });
  readonly #range = element('div', { class: 'axis-range' });
  readonly root = element(
    'div',
    {
      class: 'axis muted number',
      attributes: { 'aria-hidden': 'true', title: 'Drag to zoom in, double click to see all' },
    },
    this.#labels,
    this.#range,
  );
  #drawn: Parameters<TimeAxis['draw']> = [[], { from: 0, to: 1 }, 0];
  #pointer: { readonly at: number; readonly label: string } | undefined;
  #from: number | undefined;

  constructor(host: AxisHost) {
    this.#range.hidden = true;
    this.root.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      this.#from = event.offsetX;
    });
    this.root.addEventListener('pointermove', event => this.#drag(event.clientX));
    this.root.addEventListener('pointerup', event => this.#drop(event.clientX, host));
    this.root.addEventListener('pointercancel', () => this.#end());
    this.root.addEventListener('dblclick', () => host.zoomTo(-Infinity, Infinity));
  }

  /** Writes the labels over a chart of this width in pixels. */
  draw(ticks: readonly AxisTick[], span: TimeSpan, width: number): void {
    this.#drawn = [ticks, span, width];
    const move = (x: number): string => `transform: translateX(${Math.round(x)}px)`;
    const pointer = this.#pointer;
    draw(
      this.#labels,
      ...ticks.map(({ at, label }) =>
        h('span', { class: 'axis-label', style: move(shareAt(span, at) * width) }, label),
      ),
      pointer && h('span', { key: 'pointer', class: 'axis-pointer', style: move(pointer.at) }, pointer.label),
    );
  }

  /** Shows the time at the pointer, at an offset in pixels; hides it without one. */
  point(pointer: { readonly at: number; readonly label: string } | undefined): void {
    this.#pointer = pointer;
    this.draw(...this.#drawn);
  }

  #drag(clientX: number): void {
    if (this.#from === undefined) return;
    const { left, width } = this.root.getBoundingClientRect();
    const to = Math.max(0, Math.min(width, clientX - left));
    const [start, end] = [Math.min(this.#from, to), Math.max(this.#from, to)];
    this.#range.hidden = end - start < DRAG;
    this.#range.style.transform = `translateX(${start}px)`;
    this.#range.style.width = `${end - start}px`;
  }

  #drop(clientX: number, host: AxisHost): void {
    const { left, width } = this.root.getBoundingClientRect();
    const [from, to] = [this.#from ?? 0, Math.max(0, Math.min(width, clientX - left))];
    const isDrag = this.#from !== undefined && Math.abs(to - from) >= DRAG && width > 0;
    this.#end();
    if (isDrag) host.zoomTo(Math.min(from, to) / width, Math.max(from, to) / width);
  }

  #end(): void {
    this.#from = undefined;
    this.#range.hidden = true;
  }
}

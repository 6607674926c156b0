import { element, setText } from '../shared/element.ts';
import { shareAt, type AxisTick, type TimeSpan } from './time-scale.ts';

/** What the axis asks of the view. Shares are of the span that is seen, from 0 to 1. */
export interface AxisHost {
  /** The user drew over a part of the axis: it is to fill all of it. */
  zoomTo(from: number, to: number): void;
}

/** Pixels that the pointer moves before a press is a drag. */
const DRAG = 4;

/** The times over the bars. A drag over it zooms to what is between its ends. */
export class TimeAxis {
  readonly #labels = element('div', { class: 'axis-labels' });
  readonly #range = element('div', { class: 'axis-range' });
  readonly #pointer = element('div', { class: 'axis-pointer' });
  readonly #drawn: HTMLElement[] = [];
  readonly root = element(
    'div',
    {
      class: 'axis',
      attributes: { 'aria-hidden': 'true', title: 'Drag to zoom in, double click to see all' },
    },
    this.#labels,
    this.#range,
    this.#pointer,
  );
  #from: number | undefined;

  constructor(host: AxisHost) {
    this.#range.hidden = true;
    this.#pointer.hidden = true;
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

  /** Writes the labels over a chart of so many pixels. */
  draw(ticks: readonly AxisTick[], span: TimeSpan, width: number): void {
    for (const [index, { at, label }] of ticks.entries()) {
      const drawn = this.#drawn[index] ?? this.#add();
      setText(drawn, label);
      drawn.style.transform = `translateX(${Math.round(shareAt(span, at) * width)}px)`;
      drawn.hidden = false;
    }
    for (const drawn of this.#drawn.slice(ticks.length)) drawn.hidden = true;
  }

  /** Shows the time under the pointer, at so many pixels; nothing without it. */
  point(at: number | undefined, label: string): void {
    this.#pointer.hidden = at === undefined;
    if (at === undefined) return;
    setText(this.#pointer, label);
    this.#pointer.style.transform = `translateX(${at}px)`;
  }

  #add(): HTMLElement {
    const label = element('span', { class: 'axis-label' });
    this.#drawn.push(label);
    this.#labels.append(label);
    return label;
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

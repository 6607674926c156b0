import { element, setText } from '../../shared/element.ts';
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

  /** Writes the labels over a chart of this width in pixels. */
  draw(ticks: readonly AxisTick[], span: TimeSpan, width: number): void {
    for (const [index, { at, label }] of ticks.entries()) {
      const drawn = this.#drawn[index] ?? this.#add();
      setText(drawn, label);
      drawn.style.transform = `translateX(${Math.round(shareAt(span, at) * width)}px)`;
      drawn.hidden = false;
    }
    for (const drawn of this.#drawn.slice(ticks.length)) drawn.hidden = true;
  }

  /** Shows the time label at the pointer, at an offset in pixels; hides it without one. */
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

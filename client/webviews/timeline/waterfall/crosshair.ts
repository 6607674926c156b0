import { element } from '../../shared/element.ts';
import type { TimeAxis } from './axis.ts';
import { formatOffset, timeAt, type TimeSpan } from './time-scale.ts';

/** The chart under the pointer, in pixels from the start of the rows, with its time span. */
interface PointedChart {
  readonly left: number;
  readonly width: number;
  readonly span: TimeSpan;
  /** The origin of the displayed times. */
  readonly start: number;
}

/** A vertical line through all rows at the pointer. The axis shows the time there. */
export class Crosshair {
  readonly #axis: TimeAxis;
  readonly root = element('div', { class: 'crosshair', attributes: { 'aria-hidden': 'true' } });

  constructor(axis: TimeAxis) {
    this.#axis = axis;
    this.root.hidden = true;
  }

  /** Moves the line to a share of the chart; hides it without one. */
  point(share: number | undefined, { left, width, span, start }: PointedChart): void {
    this.root.hidden = share === undefined;
    if (share === undefined) return this.#axis.point(undefined, '');
    const x = Math.round(share * width);
    // The precision of the label is the duration of one pixel.
    const step = (span.to - span.from) / Math.max(1, width);
    this.#axis.point(x, formatOffset(timeAt(span, share) - start, step));
    this.root.style.transform = `translateX(${left + x}px)`;
  }
}

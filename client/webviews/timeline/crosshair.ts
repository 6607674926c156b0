import { element } from '../shared/element.ts';
import type { TimeAxis } from './axis.ts';
import { formatOffset, timeAt, type TimeSpan } from './time-scale.ts';

/** The chart that the pointer is over, in pixels from the start of the rows, and what it shows. */
interface PointedChart {
  readonly left: number;
  readonly width: number;
  readonly span: TimeSpan;
  /** Times are told from here. */
  readonly start: number;
}

/** The line through all rows at the time under the pointer; the axis says which time that is. */
export class Crosshair {
  readonly #axis: TimeAxis;
  readonly root = element('div', { class: 'crosshair', attributes: { 'aria-hidden': 'true' } });

  constructor(axis: TimeAxis) {
    this.#axis = axis;
    this.root.hidden = true;
  }

  /** Stands at a share of the chart; without one, it goes. */
  point(share: number | undefined, { left, width, span, start }: PointedChart): void {
    this.root.hidden = share === undefined;
    if (share === undefined) return this.#axis.point(undefined, '');
    const x = Math.round(share * width);
    // As exact as a pixel tells two times apart.
    const step = (span.to - span.from) / Math.max(1, width);
    this.#axis.point(x, formatOffset(timeAt(span, share) - start, step));
    this.root.style.transform = `translateX(${left + x}px)`;
  }
}

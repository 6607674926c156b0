import type { TraceModel } from '../model.ts';
import {
  fitSpan,
  panSpan,
  axisEnd,
  shareAt,
  spanOf,
  spanShowing,
  timeAt,
  zoomSpan,
  type TimeSpan,
} from './time-scale.ts';

/**
 * The visible part of the time of a trace. It is everything until the user zooms; then the part stays fixed
 * while the trace grows.
 */
export class Zoom {
  #all: TimeSpan = spanOf(0, 0);
  #part: TimeSpan | undefined;

  /** The whole time span, with space ahead while calls are running. */
  get all(): TimeSpan {
    return this.#all;
  }

  /** The visible span. */
  get span(): TimeSpan {
    return this.#part ?? this.#all;
  }

  get isZoomed(): boolean {
    return this.#part !== undefined;
  }

  /** Updates to the current times of a trace. */
  follow(model: TraceModel): void {
    const runs = model.now !== undefined && model.open > 0;
    this.#all = spanOf(model.start, runs ? axisEnd(model.start, model.end) : model.end);
    if (this.#part) this.#see(this.#part);
  }

  /** Shows the whole span. */
  reset(): void {
    this.#part = undefined;
  }

  /** Scales the visible span by `factor`; the time at `share` stays in place. */
  zoom(factor: number, share: number): void {
    this.#see(zoomSpan(this.span, this.#all, factor, share));
  }

  /** Moves by a share of the visible span. */
  pan(share: number): void {
    if (this.#part) this.#see(panSpan(this.#part, this.#all, share));
  }

  /** Zooms to the part between two shares of the visible span; shows everything if they lie outside. */
  showShares(from: number, to: number): void {
    if (from <= 0 && to >= 1) this.reset();
    else this.#see({ from: timeAt(this.span, from), to: timeAt(this.span, to) });
  }

  /** Shows a range with a small margin on both sides. */
  fit({ from, to }: TimeSpan): void {
    const room = (to - from) / 20;
    this.#see({ from: from - room, to: to + room });
  }

  /** Moves the visible span only if it does not show any part of a range. */
  show(stretch: TimeSpan): void {
    if (this.#part) this.#see(spanShowing(this.#part, this.#all, stretch));
  }

  /** Moves the visible span so that its middle is at a share of the whole. */
  center(share: number): void {
    if (!this.#part) return;
    const middle = timeAt(this.#all, share);
    const half = (this.#part.to - this.#part.from) / 2;
    this.#see({ from: middle - half, to: middle + half });
  }

  /** The share of a time in the visible span; 0.5 if it is not visible. */
  shareOf(time: number | undefined): number {
    const share = time === undefined ? 0.5 : shareAt(this.span, time);
    return share >= 0 && share <= 1 ? share : 0.5;
  }

  #see(span: TimeSpan): void {
    const fitted = fitSpan(span, this.#all);
    this.#part = fitted === this.#all ? undefined : fitted;
  }
}

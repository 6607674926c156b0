import type { TraceModel } from './model.ts';
import {
  fitSpan,
  panSpan,
  roomAhead,
  shareAt,
  spanOf,
  spanShowing,
  timeAt,
  zoomSpan,
  type TimeSpan,
} from './time-scale.ts';

/** Which part of the time of a trace is seen. All of it is, until somebody zooms; then that part stays while the trace grows. */
export class Zoom {
  #all: TimeSpan = spanOf(0, 0);
  #part: TimeSpan | undefined;

  /** All of the time, with room ahead where calls still run. */
  get all(): TimeSpan {
    return this.#all;
  }

  /** What is seen. */
  get span(): TimeSpan {
    return this.#part ?? this.#all;
  }

  get isZoomed(): boolean {
    return this.#part !== undefined;
  }

  /** Takes the times of a trace as they are now. */
  follow(model: TraceModel): void {
    const runs = model.now !== undefined && model.open > 0;
    this.#all = spanOf(model.start, runs ? roomAhead(model.start, model.end) : model.end);
    if (this.#part) this.#see(this.#part);
  }

  /** Shows all. */
  reset(): void {
    this.#part = undefined;
  }

  /** Shows a stretch `factor` times as long; what is at a share of what is seen stays there. */
  zoom(factor: number, share: number): void {
    this.#see(zoomSpan(this.span, this.#all, factor, share));
  }

  /** Moves by a share of what is seen. */
  pan(share: number): void {
    if (this.#part) this.#see(panSpan(this.#part, this.#all, share));
  }

  /** Shows what lies between two shares of what is seen now; all of it where they lie outside. */
  showShares(from: number, to: number): void {
    if (from <= 0 && to >= 1) this.reset();
    else this.#see({ from: timeAt(this.span, from), to: timeAt(this.span, to) });
  }

  /** Shows a stretch from end to end, with a little room at both. */
  fit({ from, to }: TimeSpan): void {
    const room = (to - from) / 20;
    this.#see({ from: from - room, to: to + room });
  }

  /** Moves until a stretch is seen, where none of it is. */
  show(stretch: TimeSpan): void {
    if (this.#part) this.#see(spanShowing(this.#part, this.#all, stretch));
  }

  /** Moves what is seen so that its middle is at a share of all. */
  center(share: number): void {
    if (!this.#part) return;
    const middle = timeAt(this.#all, share);
    const half = (this.#part.to - this.#part.from) / 2;
    this.#see({ from: middle - half, to: middle + half });
  }

  /** Where a time is in what is seen; its middle where it is elsewhere. */
  shareOf(time: number | undefined): number {
    const share = time === undefined ? 0.5 : shareAt(this.span, time);
    return share >= 0 && share <= 1 ? share : 0.5;
  }

  #see(span: TimeSpan): void {
    const fitted = fitSpan(span, this.#all);
    this.#part = fitted === this.#all ? undefined : fitted;
  }
}

import { Ticks } from '../../core/events/ticks.ts';

/** The time from the first to the last byte, in milliseconds since 1970. */
export interface TimeSpan {
  readonly at: number;
  readonly until: number;
}

/** The arrival times of the pieces of a part. */
export class PieceTimes {
  readonly #ticks = new Ticks();
  at = Infinity;
  until = -Infinity;
  pieces = 0;

  /** Adds what arrived in a number of pieces. */
  add({ at, until }: TimeSpan, pieces = 1): void {
    this.pieces += pieces;
    this.at = Math.min(this.at, at);
    this.until = Math.max(this.until, until);
    this.#ticks.add(at);
  }

  /** At most 512 of them. */
  get ticks(): readonly number[] {
    return this.#ticks.times;
  }
}

/** The times of something that arrived in one piece. */
export function timesOf(span: TimeSpan): PieceTimes {
  const times = new PieceTimes();
  times.add(span);
  return times;
}

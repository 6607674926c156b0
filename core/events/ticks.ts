/** The maximum number of times: more than a bar has pixels. */
const MAX = 512;

/** The exponent of the initial grid width: times closer than 2^FINEST milliseconds may be merged. */
const FINEST = -10;

/**
 * The times of pieces, thinned to at most `MAX`. Of the times in one cell of a grid the first one is stored,
 * and the cell width doubles until few enough are left. The result does not depend on the order of arrival.
 */
export class Ticks {
  times: number[] = [];
  #power = FINEST;

  add(time: number): void {
    const { times } = this;
    if (!this.#insert(time)) return;
    while (times.length > MAX) {
      this.#power++;
      let to = 0;
      for (const each of times) if (!this.#isBeside(times[to - 1], each)) times[to++] = each;
      times.length = to;
    }
  }

  /** Releases the spare capacity of the list. */
  trim(): void {
    this.times = this.times.slice();
  }

  /** Inserts a time; true if the list grew. */
  #insert(time: number): boolean {
    const { times } = this;
    let at = times.length;
    while (at > 0 && (times[at - 1] ?? 0) > time) at--;
    if (this.#isBeside(times[at - 1], time)) return false;
    const isEarlier = this.#isBeside(times[at], time);
    times.splice(at, isEarlier ? 1 : 0, time);
    return !isEarlier;
  }

  /** True if both times are in the same cell. */
  #isBeside(one: number | undefined, other: number): boolean {
    return one !== undefined && this.#span(one) === this.#span(other);
  }

  #span(time: number): number {
    return Math.floor(time / 2 ** this.#power);
  }
}

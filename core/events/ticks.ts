/** Times kept at most: more than a bar has pixels. */
const MOST = 512;

/** How near two times may be and still be two, as long as there are few: two to the power of this in milliseconds. */
const FINEST = -10;

/**
 * The times of pieces, thinned where there are too many: of the times in one span of a grid the first is kept, and the grid
 * grows twice as wide until so few are left. Whatever the order in which they come, the same are kept.
 */
export class Ticks {
  times: number[] = [];
  #power = FINEST;

  add(time: number): void {
    const { times } = this;
    if (!this.#insert(time)) return;
    while (times.length > MOST) {
      this.#power++;
      let to = 0;
      for (const each of times) if (!this.#isBeside(times[to - 1], each)) times[to++] = each;
      times.length = to;
    }
  }

  /** Gives back the room that the list has for more. */
  trim(): void {
    this.times = this.times.slice();
  }

  /** Answers whether there is one more. */
  #insert(time: number): boolean {
    const { times } = this;
    let at = times.length;
    while (at > 0 && (times[at - 1] ?? 0) > time) at--;
    if (this.#isBeside(times[at - 1], time)) return false;
    const isEarlier = this.#isBeside(times[at], time);
    times.splice(at, isEarlier ? 1 : 0, time);
    return !isEarlier;
  }

  /** True where both are in one span. */
  #isBeside(one: number | undefined, other: number): boolean {
    return one !== undefined && this.#span(one) === this.#span(other);
  }

  #span(time: number): number {
    return Math.floor(time / 2 ** this.#power);
  }
}

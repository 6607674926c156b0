/** What may take long runs so seldom that it takes one part of so many of the time. */
const SHARE = 10;

/** Runs once soon after it was asked to, however often; the longer a run takes, the longer the next one waits. */
export class Paced {
  readonly #run: () => void;
  readonly #share: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next = -Infinity;

  constructor(run: () => void, share = SHARE) {
    this.#run = run;
    this.#share = share;
  }

  /** Runs at once if the last run is long enough ago, else later. */
  ask(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#next - performance.now();
    if (wait <= 0) this.now();
    else this.#timer = setTimeout(() => this.now(), wait);
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    this.#run();
    const ended = performance.now();
    this.#next = ended + (ended - began) * this.#share;
  }
}

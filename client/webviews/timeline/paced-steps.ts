/** Milliseconds of work before the page gets to its frames and keys again. */
const SLICE = 6;

/** What may take long runs so seldom that it takes one part of so many of the time. */
const SHARE = 10;

/** Makes something of a trace in steps; in the last one it shows it. */
type Work = () => Generator<unknown, void>;

/**
 * Runs once soon after it was asked to, however often; the longer a run takes, the longer the next one waits. A run that is
 * short is over at once. A long one goes on in slices, between which the page is free, and what is asked meanwhile is done after it.
 */
export class PacedSteps {
  readonly #work: Work;
  /** Hears that a run takes longer than one slice, and that it is over. */
  readonly #onBusy: (state: 'working' | 'done') => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Generator<unknown, void> | undefined;
  #isAskedAgain = false;
  /** Milliseconds that the run took so far. */
  #took = 0;
  #next = -Infinity;
  /** How many slices the last run took so far. */
  slices = 0;

  constructor(work: Work, onBusy: (state: 'working' | 'done') => void) {
    this.#work = work;
    this.#onBusy = onBusy;
  }

  /** Runs at once if the last run is long enough ago, else later. */
  ask(): void {
    if (this.#running) this.#isAskedAgain = true;
    else if (this.#timer === undefined) this.#await();
  }

  /** Runs at once, from the beginning where it runs already. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAskedAgain = false;
    this.#took = 0;
    this.slices = 0;
    this.#running = this.#work();
    this.#slice(this.#running);
  }

  #await(): void {
    const wait = this.#next - performance.now();
    if (wait <= 0) this.now();
    else this.#timer = setTimeout(() => this.now(), wait);
  }

  #slice(running: Generator<unknown, void>): void {
    if (running !== this.#running) return;
    this.slices++;
    const began = performance.now();
    let isOver = false;
    while (!isOver && performance.now() - began < SLICE) isOver = running.next().done === true;
    this.#took += performance.now() - began;
    if (isOver) return this.#end();
    if (this.slices === 1) this.#onBusy('working');
    setTimeout(() => this.#slice(running));
  }

  #end(): void {
    this.#running = undefined;
    this.#onBusy('done');
    this.#next = performance.now() + this.#took * SHARE;
    if (!this.#isAskedAgain) return;
    this.#isAskedAgain = false;
    this.#await();
  }
}

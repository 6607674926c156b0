/** The timing of a redraw. */
interface Pace {
  /** Milliseconds from the first request to the run; by default it runs in the next frame. */
  readonly wait?: number;
  /** The run takes at most one part in `share` of the time: the longer a run takes, the longer the next one waits. */
  readonly share?: number;
}

/** Coalesces requests to redraw into one run per animation frame. Nothing runs while the page is hidden. */
export class Redraw {
  readonly #run: () => void;
  readonly #pace: Required<Pace>;
  /** Cancels the pending run. */
  #callOff: (() => void) | undefined;
  #next = -Infinity;

  constructor(run: () => void, { wait = 0, share = 0 }: Pace = {}) {
    this.#run = run;
    this.#pace = { wait, share };
  }

  ask(): void {
    if (this.#callOff) return;
    const wait = Math.max(this.#pace.wait, this.#next - performance.now());
    if (wait <= 0) return this.#awaitFrame();
    const timer = setTimeout(() => this.#awaitFrame(), wait);
    this.#callOff = () => clearTimeout(timer);
  }

  /** Runs immediately, or later if the last run was too recent. */
  soon(): void {
    if (this.#callOff || performance.now() < this.#next) this.ask();
    else this.now();
  }

  now(): void {
    this.cancel();
    const began = performance.now();
    this.#run();
    this.rest((performance.now() - began) * this.#pace.share);
  }

  /** Delays the next run by at least this many milliseconds. */
  rest(milliseconds: number): void {
    this.#next = performance.now() + milliseconds;
  }

  cancel(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #awaitFrame(): void {
    const frame = requestAnimationFrame(() => this.now());
    this.#callOff = () => cancelAnimationFrame(frame);
  }
}

/** How soon a redraw comes. */
interface Pace {
  /** Milliseconds from the first request on; without it the next frame. */
  readonly wait?: number;
  /** It takes at most one part of so many of the time: the longer a run takes, the longer the next one waits. */
  readonly share?: number;
}

/** Runs once in a frame soon after it was asked to, however often: nothing runs while the page is not seen. */
export class Redraw {
  readonly #run: () => void;
  readonly #pace: Required<Pace>;
  /** Calls off the run that was asked for. */
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

  now(): void {
    this.cancel();
    const began = performance.now();
    this.#run();
    this.rest((performance.now() - began) * this.#pace.share);
  }

  /** What is asked for runs in so many milliseconds at the earliest. */
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

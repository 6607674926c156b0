/** Milliseconds between two steps of what grows by itself; where people want less motion, a second. */
const STEP = 50;
const CALM_STEP = 1000;

/** Calls back once after a step of time, in a frame: nothing runs while the page is not seen. */
export class Ticker {
  readonly #run: () => void;
  readonly #isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  ask(): void {
    this.#timer ??= setTimeout(
      () =>
        requestAnimationFrame(() => {
          this.#timer = undefined;
          this.#run();
        }),
      this.#isCalm.matches ? CALM_STEP : STEP,
    );
  }
}

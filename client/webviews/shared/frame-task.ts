/** Calls back once in the next frame, however often it is asked before. */
export class FrameTask {
  readonly #run: () => void;
  #frame = 0;

  constructor(run: () => void) {
    this.#run = run;
  }

  ask(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#run();
    });
  }

  cancel(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}

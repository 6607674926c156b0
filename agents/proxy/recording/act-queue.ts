/** Runs acts one after the other: each at once, unless an earlier one is still running. */
export class ActQueue {
  readonly #waiting: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  /** Resolves when all acts are done; undefined if they already are. */
  get settled(): Promise<void> | undefined {
    return this.#running;
  }

  do(act: () => void | Promise<void>): void {
    if (this.#running) {
      this.#waiting.push(act);
      return;
    }
    const running = act();
    if (running) this.#running = this.#goOn(running);
  }

  async #goOn(running: Promise<void>): Promise<void> {
    await running;
    for (let act = this.#waiting.shift(); act; act = this.#waiting.shift()) await act();
    this.#running = undefined;
  }
}

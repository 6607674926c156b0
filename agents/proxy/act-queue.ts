/** Does acts one after the other: each at once, unless one before it is still under way. */
export class ActQueue {
  readonly #waiting: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  /** Resolves once all acts are done; undefined where they are. */
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

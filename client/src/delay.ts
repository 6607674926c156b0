import type { Disposable } from 'vscode';

/** Runs work once after a pause, however often it is asked for meanwhile. */
export class Delay implements Disposable {
  readonly #run: () => unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => unknown) {
    this.#run = run;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Runs in so many milliseconds, unless it waits already. */
  ask(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, milliseconds);
  }

  /** Runs once nothing asked for it for so many milliseconds. */
  restart(milliseconds: number): void {
    this.dispose();
    this.ask(milliseconds);
  }

  /** Calls off what waits. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

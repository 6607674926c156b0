import type { Disposable } from 'vscode';

/** Runs work once after a pause; further requests during the pause are merged. */
export class Delay implements Disposable {
  readonly #run: () => unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => unknown) {
    this.#run = run;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Runs after this many milliseconds, unless a run is pending. */
  ask(milliseconds: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, milliseconds);
  }

  /** Runs after this many milliseconds without another request. */
  restart(milliseconds: number): void {
    this.dispose();
    this.ask(milliseconds);
  }

  /** Cancels the pending run. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

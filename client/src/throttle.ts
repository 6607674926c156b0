import type { Disposable } from 'vscode';

/** Milliseconds between two runs. VS Code draws a tree 200 ms after its last change: more often, and it never does. */
const PAUSE = 300;

/** Runs work at once where nothing ran lately, else as soon as the pause is over, once for all that asked meanwhile. */
export class Throttle implements Disposable {
  readonly #run: () => void;
  readonly #findRest: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWanted = false;

  /** `findRest` tells the milliseconds that the pause lasts at least: work that cost much is done less often. */
  constructor(run: () => void, findRest: () => number = () => 0) {
    this.#run = run;
    this.#findRest = findRest;
  }

  request(): void {
    this.#isWanted = true;
    if (this.#timer === undefined) this.#runNow();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #runNow(): void {
    this.#timer = undefined;
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#timer = setTimeout(() => this.#runNow(), Math.max(PAUSE, this.#findRest()));
    this.#run();
  }
}

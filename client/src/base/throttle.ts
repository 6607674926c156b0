import type { Disposable } from 'vscode';
import { Delay } from './delay.ts';

/**
 * Milliseconds between two runs. VS Code redraws a tree 200 ms after its last change, so more frequent
 * changes would prevent that.
 */
const PAUSE = 300;

/** Runs work immediately if nothing has run recently, else once after the pause for all requests in it. */
export class Throttle implements Disposable {
  readonly #run: () => void;
  readonly #findRest: () => number;
  readonly #pause = new Delay(() => this.#runNow());
  #isWanted = false;

  /** `findRest` returns the minimum pause in milliseconds, so that expensive work runs less often. */
  constructor(run: () => void, findRest: () => number = () => 0) {
    this.#run = run;
    this.#findRest = findRest;
  }

  request(): void {
    this.#isWanted = true;
    if (!this.#pause.isWaiting) this.#runNow();
  }

  dispose(): void {
    this.#pause.dispose();
  }

  #runNow(): void {
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#pause.ask(Math.max(PAUSE, this.#findRest()));
    this.#run();
  }
}

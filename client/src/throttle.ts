import type { Disposable } from 'vscode';
import { Delay } from './delay.ts';

/** Milliseconds between two runs. VS Code draws a tree 200 ms after its last change: more often, and it never does. */
const PAUSE = 300;

/** Runs work at once where nothing ran lately, else as soon as the pause is over, once for all that asked meanwhile. */
export class Throttle implements Disposable {
  readonly #run: () => void;
  readonly #findRest: () => number;
  readonly #pause = new Delay(() => this.#runNow());
  #isWanted = false;

  /** `findRest` tells the milliseconds that the pause lasts at least: work that cost much is done less often. */
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

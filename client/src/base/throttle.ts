import type { Disposable } from 'vscode';
import { Delay } from './delay.ts';

/**
 * Milliseconds between two runs. VS Code redraws a tree 200 ms after its last change, so more frequent
 * changes would prevent that.
 */
const PAUSE = 300;

/** Milliseconds after which work that VS Code never ends holds up nothing any more. */
const MAX_HOLD = 5_000;

/** Runs work immediately if nothing has run recently, else once after the pause for all requests in it. */
export class Throttle implements Disposable {
  readonly #run: () => void;
  readonly #findRest: () => number;
  readonly #pause = new Delay(() => this.#runNow());
  #isWanted = false;
  #holds = 0;

  /** `findRest` returns the minimum pause in milliseconds, so that expensive work runs less often. */
  constructor(run: () => void, findRest: () => number = () => 0) {
    this.#run = run;
    this.#findRest = findRest;
  }

  request(): void {
    this.#isWanted = true;
    if (!this.#pause.isWaiting) this.#runNow();
  }

  /**
   * Runs nothing until other work has ended. A tree that is redrawn while VS Code reveals one of its rows loses its
   * scroll position.
   */
  async hold(work: PromiseLike<unknown>): Promise<void> {
    this.#holds++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await Promise.race([work, new Promise(resolve => (timer = setTimeout(resolve, MAX_HOLD)))]);
    } finally {
      clearTimeout(timer);
      this.#holds--;
      if (!this.#pause.isWaiting) this.#runNow();
    }
  }

  dispose(): void {
    this.#isWanted = false;
    this.#pause.dispose();
  }

  #runNow(): void {
    if (!this.#isWanted || this.#holds > 0) return;
    this.#isWanted = false;
    this.#pause.ask(Math.max(PAUSE, this.#findRest()));
    this.#run();
  }
}

import { Redraw } from '../shared/redraw.ts';
import { runInSlices, runSlice, type SlicedWork } from '../shared/slices.ts';

/** Long work takes at most one part in this number of the total time. */
const SHARE = 10;

/**
 * Coalesces requests into one run soon after; the longer a run takes, the longer the next one waits. A short run
 * completes synchronously. A long one runs in slices between frames; a request during it is run afterwards.
 */
export class PacedWork {
  readonly #make: () => Generator<unknown, void>;
  /** Called when a run takes longer than one slice, and when it has ended. */
  readonly #onBusy: (state: 'working' | 'done') => void;
  readonly #soon = new Redraw(() => this.now());
  #work: SlicedWork | undefined;
  #isRequestedAgain = false;

  /** `make` creates the work in steps; the last step shows the result. */
  constructor(make: () => Generator<unknown, void>, onBusy: (state: 'working' | 'done') => void) {
    this.#make = make;
    this.#onBusy = onBusy;
  }

  /** Runs soon, or later if the last run was too recent. */
  ask(): void {
    if (this.#work) this.#isRequestedAgain = true;
    else this.#soon.ask();
  }

  /** Runs immediately, and restarts a running computation. */
  now(): void {
    this.#soon.cancel();
    this.#work?.stop();
    this.#isRequestedAgain = false;
    const began = performance.now();
    const work = this.#make();
    if (runSlice(work)) return this.#end(began);
    this.#onBusy('working');
    this.#work = runInSlices(work, { onEnd: () => this.#end(began) });
  }

  #end(began: number): void {
    this.#work = undefined;
    this.#onBusy('done');
    this.#soon.rest((performance.now() - began) * SHARE);
    if (this.#isRequestedAgain) this.#soon.ask();
    this.#isRequestedAgain = false;
  }
}

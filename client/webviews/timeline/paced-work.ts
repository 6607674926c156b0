import { Redraw } from '../shared/redraw.ts';
import { runInSlices, runSlice, type SlicedWork } from '../shared/slices.ts';

/** What may take long runs so seldom that it takes one part of so many of the time. */
const SHARE = 10;

/**
 * Runs once soon after it was asked to, however often; the longer a run takes, the longer the next one waits. A run that is
 * short is over at once. A long one goes on in slices, between which the page is free, and what is asked meanwhile is done after it.
 */
export class PacedWork {
  readonly #make: () => Generator<unknown, void>;
  /** Receives that a run takes longer than one slice, and that it is over. */
  readonly #onBusy: (state: 'working' | 'done') => void;
  readonly #soon = new Redraw(() => this.now());
  #work: SlicedWork | undefined;
  #isAskedAgain = false;

  /** `make` makes something of a trace in steps; in the last one it shows it. */
  constructor(make: () => Generator<unknown, void>, onBusy: (state: 'working' | 'done') => void) {
    this.#make = make;
    this.#onBusy = onBusy;
  }

  /** Runs soon if the last run is long enough ago, else later. */
  ask(): void {
    if (this.#work) this.#isAskedAgain = true;
    else this.#soon.ask();
  }

  /** Runs at once, from the beginning where it runs already. */
  now(): void {
    this.#soon.cancel();
    this.#work?.stop();
    this.#isAskedAgain = false;
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
    if (this.#isAskedAgain) this.#soon.ask();
    this.#isAskedAgain = false;
  }
}

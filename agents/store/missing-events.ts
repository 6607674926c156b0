import { countOf } from '../../core/text/count.ts';
import { showOnOneLine } from '../../core/text/quote.ts';

/** Called at once, with a sentence, when events begin to be lost and when they no longer are. */
export type Notify = (message: string) => void;

/** Counts the events that a file could not store, and reports when a loss begins and when it ends. */
export class MissingEvents {
  readonly #path: string;
  readonly #notify: Notify;
  #count = 0;
  #why = '';
  #isFailing = false;

  constructor(path: string, notify: Notify) {
    this.#path = showOnOneLine(path);
    this.#notify = notify;
  }

  /** Counts events that could not be written. */
  lost(count: number, why: string): void {
    this.#count += count;
    this.#why = why;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#notify(
      `The trace file ${this.#path} cannot be written (${why}): new events are missing from it; ${ADVICE}`,
    );
  }

  /** Something could be written again. */
  written(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#notify(`The trace file ${this.#path} is written again; it misses ${countOf(this.#count, 'event')}`);
  }

  /** Everything that is missing, as a sentence; undefined if nothing is. */
  describe(): string | undefined {
    if (this.#count === 0) return undefined;
    return `The trace file ${this.#path} misses ${countOf(this.#count, 'event')} (${this.#why}); ${ADVICE}`;
  }
}

const ADVICE = 'check that the disk has space and that the file is writable';

import { countOf } from '../../core/text/count.ts';
import { showOnOneLine } from '../../core/text/quote.ts';

/** Hears at once, in a sentence, when events begin to be lost, and when they are no longer. */
export type Tell = (message: string) => void;

/** Events that a file could not take: told when a stretch of them begins and when it ends. */
export class MissingEvents {
  readonly #path: string;
  readonly #tell: Tell;
  #count = 0;
  #why = '';
  #isFailing = false;

  constructor(path: string, tell: Tell) {
    this.#path = showOnOneLine(path);
    this.#tell = tell;
  }

  /** So many events could not be written. */
  lost(count: number, why: string): void {
    this.#count += count;
    this.#why = why;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#tell(
      `The trace file ${this.#path} cannot be written (${why}): what comes now is missing from it; ${ADVICE}`,
    );
  }

  /** Something could be written. */
  written(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#tell(`The trace file ${this.#path} is written again; it misses ${countOf(this.#count, 'event')}`);
  }

  /** What is missing in all, a sentence; undefined where nothing is. */
  describe(): string | undefined {
    if (this.#count === 0) return undefined;
    return `The trace file ${this.#path} misses ${countOf(this.#count, 'event')} (${this.#why}); ${ADVICE}`;
  }
}

const ADVICE = 'see that the disk has room and that the file may be written';

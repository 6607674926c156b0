import { moreAre } from '../../core/text/count.ts';
import type { TraceEvent } from '../../core/events/events.ts';

/** What was read of a file: its events and what is odd about it, or why it cannot be read at all. */
export type ImportedTrace =
  | { readonly ok: true; readonly events: readonly TraceEvent[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** Notes of one kind are listed one by one up to this number. */
const MOST_NOTES = 20;

/** Notes on what is odd about a file; of very many the number stands for the rest. */
export class ImportNotes {
  readonly #notes: string[] = [];
  #more = 0;

  add(note: string): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push(note);
    else this.#more++;
  }

  get all(): readonly string[] {
    return this.#more === 0 ? this.#notes : [...this.#notes, `${moreAre(this.#more, 'note')} left out`];
  }
}

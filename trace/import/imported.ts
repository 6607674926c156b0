import { moreAre } from '../../core/text/count.ts';
import type { TraceEvent } from '../../core/events/events.ts';

/** The result of reading a file: its events and notes, or why it cannot be read at all. */
export type ImportedTrace =
  | { readonly ok: true; readonly events: readonly TraceEvent[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** The maximum number of notes. */
const MAX_NOTES = 20;

/** Notes on the irregularities of a file; beyond the maximum, only their number. */
export class ImportNotes {
  readonly #notes: string[] = [];
  #more = 0;

  add(note: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(note);
    else this.#more++;
  }

  get all(): readonly string[] {
    return this.#more === 0 ? this.#notes : [...this.#notes, `${moreAre(this.#more, 'note')} left out`];
  }
}

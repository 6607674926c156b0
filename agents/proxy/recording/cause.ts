import type { CallTracker } from '../../call-tracker.ts';

/** The open call for which an agent logs or asks something without naming it. */
export interface Cause<Call> {
  readonly call: Call;
  /** False if other open calls could be meant as well. */
  readonly isCertain: boolean;
}

const UNCERTAIN =
  'The agent does not say to which open call its logs and questions belong; with several, the newest is assumed';

/** Notes, once per call, that what an agent logs or asks may belong to another call. */
export class CauseNotes {
  readonly #noted = new WeakSet<CallTracker>();

  add(tracker: CallTracker, cause: Cause<unknown> | undefined): void {
    if (!cause || cause.isCertain || this.#noted.has(tracker)) return;
    this.#noted.add(tracker);
    tracker.note(UNCERTAIN);
  }
}

import type { ReportPayload } from '../../../../wire/timeline-messages.ts';
import type { TraceCall } from '../model.ts';

/** The data of a call that is not in its state, as far as it has arrived. */
export type Payload = Pick<ReportPayload, 'names' | 'session' | 'attributes' | 'events' | 'leftOut' | 'own'>;

/** Requests and stores the payload of the selected call. While a call streams, only the new events are requested. */
export class SelectedPayload {
  readonly #ask: (call: string, from: number) => void;
  #call = '';
  #payload: Payload | undefined;
  #requested: TraceCall['state'] | undefined;
  /** True while a request is pending. */
  #isAsking = false;

  constructor(ask: (call: string, from: number) => void) {
    this.#ask = ask;
  }

  /** The payload of the selected call; undefined until it has arrived. */
  get payload(): Payload | undefined {
    return this.#payload;
  }

  /** Follows a call: requests its changes since the last request. */
  follow(call: TraceCall | undefined): void {
    const id = call?.state.id ?? '';
    if (id !== this.#call) {
      this.#call = id;
      this.#payload = undefined;
      this.#requested = undefined;
      this.#isAsking = false;
    }
    if (!call || this.#isAsking || this.#requested === call.state) return;
    this.#requested = call.state;
    this.#isAsking = true;
    // Numbered events may arrive out of order, so after the end all of them are requested once more.
    const isGrowing = call.state.status === 'open' && this.#payload?.leftOut === 0;
    this.#ask(id, isGrowing ? (this.#payload?.events.length ?? 0) : 0);
  }

  /** Applies an answer. Returns false if it is not for the followed call, or does not continue the stored events. */
  take(reported: ReportPayload): boolean {
    if (reported.call !== this.#call) return false;
    this.#isAsking = false;
    const known = this.#payload?.events ?? [];
    if (reported.from > known.length) {
      this.#requested = undefined;
      return false;
    }
    const events =
      reported.from === 0 ? reported.events : [...known.slice(0, reported.from), ...reported.events];
    this.#payload = { ...reported, events };
    return true;
  }
}

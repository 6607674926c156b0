import type { TellPayload } from '../../../wire/timeline-messages.ts';
import type { TraceCall } from './model.ts';

/** What is not in the state of a call, as far as it came. */
export type Payload = Pick<TellPayload, 'names' | 'session' | 'attributes' | 'events' | 'leftOut'>;

/** Asks for the payload of the call that is selected, and keeps it: what a stream brings is asked for as it comes. */
export class SelectedPayload {
  readonly #ask: (call: string, from: number) => void;
  #call = '';
  #payload: Payload | undefined;
  #asked: TraceCall['state'] | undefined;
  /** True while an answer is waited for. */
  #isAsking = false;

  constructor(ask: (call: string, from: number) => void) {
    this.#ask = ask;
  }

  /** The payload of the selected call; undefined until it came. */
  get payload(): Payload | undefined {
    return this.#payload;
  }

  /** Follows a call: asks for what changed since it was asked last. */
  follow(call: TraceCall | undefined): void {
    const id = call?.state.id ?? '';
    if (id !== this.#call) {
      this.#call = id;
      this.#payload = undefined;
      this.#asked = undefined;
      this.#isAsking = false;
    }
    if (!call || this.#isAsking || this.#asked === call.state) return;
    this.#asked = call.state;
    this.#isAsking = true;
    // Events with numbers may have come out of order: in the end all of them are asked for once more.
    const isGrowing = call.state.status === 'open' && this.#payload?.leftOut === 0;
    this.#ask(id, isGrowing ? (this.#payload?.events.length ?? 0) : 0);
  }

  /** Takes an answer. Answers whether it is about the call that is followed. */
  take(told: TellPayload): boolean {
    if (told.call !== this.#call) return false;
    this.#isAsking = false;
    const known = this.#payload?.events ?? [];
    if (told.from > known.length) {
      this.#asked = undefined;
      return false;
    }
    const events = told.from === 0 ? told.events : [...known.slice(0, told.from), ...told.events];
    this.#payload = { ...told, events };
    return true;
  }
}

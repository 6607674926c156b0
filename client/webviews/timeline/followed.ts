import type { TraceCall } from './model.ts';

interface Entry<Answer> {
  /** The state of the call at the last request. */
  requested: TraceCall['state'] | undefined;
  isAsking: boolean;
  answer: Answer | undefined;
}

/** Stores what the extension answers about the followed calls, and asks again after a call has changed. */
export class Followed<Answer> {
  readonly #ask: (call: TraceCall, known: Answer | undefined) => void;
  readonly #entries = new Map<string, Entry<Answer>>();

  constructor(ask: (call: TraceCall, known: Answer | undefined) => void) {
    this.#ask = ask;
  }

  /** Follows exactly these calls. A call is asked about again only after its last answer has arrived. */
  follow(calls: Iterable<TraceCall>): void {
    const followed = new Map(Array.from(calls, call => [call.state.id, call] as const));
    for (const id of this.#entries.keys()) if (!followed.has(id)) this.#entries.delete(id);
    for (const [id, call] of followed) {
      const { requested, isAsking, answer } = this.#entries.get(id) ?? {};
      if (isAsking || requested === call.state) continue;
      this.#entries.set(id, { requested: call.state, isAsking: true, answer });
      this.#ask(call, answer);
    }
  }

  /**
   * Stores an answer, which may continue the last one. If `join` returns undefined, the answer is of no use, and
   * the call is asked about again. Returns true if there is a new answer about a followed call.
   */
  take(call: string, join: (known: Answer | undefined) => Answer | undefined): boolean {
    const entry = this.#entries.get(call);
    if (!entry) return false;
    entry.isAsking = false;
    const answer = join(entry.answer);
    if (answer === undefined) entry.requested = undefined;
    else entry.answer = answer;
    return answer !== undefined;
  }

  /** What is known of a call; undefined until it has arrived. */
  of(call: string): Answer | undefined {
    return this.#entries.get(call)?.answer;
  }

  clear(): void {
    this.#entries.clear();
  }
}

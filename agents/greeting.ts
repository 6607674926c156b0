import { withoutProgress, type Outgoing, type Reply, type Send, type WireListener } from './connection.ts';
import { isUnreachable } from './unreachable.ts';
import { whenAborted } from './when-aborted.ts';

export type Greeted =
  /** The request with the time that remains for it. */
  | { readonly ok: true; readonly request: Outgoing }
  /** The reply to the question if the agent was not reached: the request would end the same way. */
  | { readonly ok: false; readonly reply: Reply };

/** The question that a `Greeting` asks. */
export interface Question<Answer> {
  /** The text of the question, in the connection's own protocol. */
  readonly text: (request: Outgoing) => string;
  /** The answer, from any reply. */
  readonly read: (reply: Reply) => Answer;
  readonly send: Send;
  /** Milliseconds for a call without a time-out of its own; undefined: no limit as long as pieces arrive. */
  readonly timeout: number | undefined;
}

/**
 * Asks an agent one question, such as a handshake or its help, before the first request that needs the
 * answer. The question belongs to that request's call: its bytes are reported there and its time counts.
 * Requests that arrive meanwhile wait. If the agent was not reached, the next request asks again.
 */
export class Greeting<Answer> {
  readonly #question: Question<Answer>;
  #known: { readonly answer: Answer } | undefined;
  #asking: Promise<Reply> | undefined;

  constructor(question: Question<Answer>) {
    this.#question = question;
  }

  /** The answer; undefined until it is known. */
  get answer(): Answer | undefined {
    return this.#known?.answer;
  }

  /** Takes the answer from a reply to a question that was sent elsewhere. */
  learn(reply: Reply): void {
    if (!isUnreachable(reply)) this.#known = { answer: this.#question.read(reply) };
  }

  /** Obtains the answer before a request is sent, if it is not known yet. Never throws. */
  async before(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Greeted> {
    const start = performance.now();
    while (!this.#known && !signal.aborted) {
      if (this.#asking) {
        await Promise.race([this.#asking, whenAborted(signal)]);
        continue;
      }
      const reply = await this.#ask(request, listener, signal);
      if (isUnreachable(reply)) return { ok: false, reply };
    }
    const timeout = request.timeout ?? this.#question.timeout;
    if (timeout === undefined) return { ok: true, request };
    const left = Math.max(1, Math.round(timeout - (performance.now() - start)));
    return { ok: true, request: { ...request, timeout: left, allowed: request.allowed ?? timeout } };
  }

  async #ask(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { text, send } = this.#question;
    this.#asking = send({ ...request, wireText: text(request) }, withoutProgress(listener), signal);
    const reply = await this.#asking;
    this.#asking = undefined;
    this.learn(reply);
    return reply;
  }
}

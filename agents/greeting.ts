import { withoutProgress, type Outgoing, type Reply, type Send, type WireListener } from './connection.ts';
import { isUnreached } from './unreached.ts';
import { whenAborted } from './when-aborted.ts';

export type Greeted =
  /** The request with what is left of its time. */
  | { readonly ok: true; readonly request: Outgoing }
  /** What came of asking where the agent was not reached: another request would end the same way. */
  | { readonly ok: false; readonly reply: Reply };

/** What is asked, and how. */
export interface Question<Answer> {
  /** The text of the question, in the connection's own protocol. */
  readonly text: (request: Outgoing) => string;
  /** What is known after a reply, whatever it says. */
  readonly read: (reply: Reply) => Answer;
  readonly send: Send;
  /** Milliseconds for a call of which no more is said; undefined: as long as pieces come. */
  readonly timeout: number | undefined;
}

/**
 * What a connection asks its agent once, before the first request that needs to know: a handshake, its help. The question
 * goes out with that request, its bytes are heard with it and its time counts; requests that come meanwhile wait. An agent
 * that was not reached is asked again by the next one.
 */
export class Greeting<Answer> {
  readonly #question: Question<Answer>;
  #known: { readonly answer: Answer } | undefined;
  #asking: Promise<Reply> | undefined;

  constructor(question: Question<Answer>) {
    this.#question = question;
  }

  /** What the agent said; undefined before it did. */
  get answer(): Answer | undefined {
    return this.#known?.answer;
  }

  /** The agent answered the question although it was not this that asked. */
  learn(reply: Reply): void {
    if (!isUnreached(reply)) this.#known = { answer: this.#question.read(reply) };
  }

  /** Sees that the answer is known before a request goes out. Never throws. */
  async before(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Greeted> {
    const start = performance.now();
    while (!this.#known && !signal.aborted) {
      if (this.#asking) {
        await Promise.race([this.#asking, whenAborted(signal)]);
        continue;
      }
      const reply = await this.#ask(request, listener, signal);
      if (isUnreached(reply)) return { ok: false, reply };
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

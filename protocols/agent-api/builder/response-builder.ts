import type { AgentApiEvent, JsonObject } from './events.ts';
import { MessageBuilder, type MessageOptions } from './message-builder.ts';

export interface ResponseOptions {
  /** What the response is called; `response_1` if left out. Its messages are called after it. */
  readonly id?: string;
  readonly sessionId?: string;
  /** Seconds since 1970: this file reads no clock. 0 if left out. */
  readonly now?: () => number;
}

/** How a response ends that did not complete. */
export type Failure = 'failed' | 'canceled' | 'rejected' | 'incomplete';

/** Numbers the events of one response. */
export interface Numbering {
  next(): number;
}

type State = 'new' | 'created' | 'in_progress' | 'over';

/**
 * Builds the events of one response (Agent API, "Agent API Protocol Builder"): created, in progress, messages, completed.
 * Each method answers the event to send. A call in the wrong state throws an error that says what is missing.
 */
export class ResponseBuilder {
  readonly #id: string;
  readonly #sessionId: string | null;
  readonly #now: () => number;
  readonly #createdAt: number;
  readonly #messages: MessageBuilder[] = [];
  readonly #numbering: Numbering;
  #state: State = 'new';

  constructor({ id = 'response_1', sessionId, now = () => 0 }: ResponseOptions = {}) {
    this.#id = id;
    this.#sessionId = sessionId ?? null;
    this.#now = now;
    this.#createdAt = now();
    let number = 0;
    this.#numbering = { next: () => number++ };
  }

  created(): AgentApiEvent {
    this.#expect('new', 'created()', 'it stands first, and once');
    this.#state = 'created';
    return this.#event('created', {});
  }

  inProgress(): AgentApiEvent {
    this.#expect('created', 'inProgress()', 'call created() before it, and each of them once');
    this.#state = 'in_progress';
    return this.#event('in_progress', {});
  }

  /** Begins a message; `created()` of it is its first event. */
  createMessageBuilder(options: MessageOptions = {}): MessageBuilder {
    this.#expect(
      'in_progress',
      'createMessageBuilder()',
      'a response takes messages between inProgress() and its end',
    );
    const number = this.#messages.length + 1;
    const built = new MessageBuilder(`${this.#id}_msg_${number}`, this.#numbering, options);
    this.#messages.push(built);
    return built;
  }

  /** The end of a response whose messages are complete. */
  completed(usage?: JsonObject): AgentApiEvent {
    this.#expect(
      'in_progress',
      'completed()',
      'call created() and inProgress() before it, and end a response once',
    );
    const open = this.#messages.findIndex(each => !each.isComplete);
    if (open >= 0)
      throw new Error(
        `ResponseBuilder.completed(): message ${open + 1} is still open; call its complete() first`,
      );
    this.#state = 'over';
    return this.#event('completed', { usage: usage ?? null });
  }

  /** The end of a response that did not complete; what there is of its messages counts. */
  ended(status: Failure, error?: { readonly code: string; readonly message: string }): AgentApiEvent {
    if (this.#state === 'new' || this.#state === 'over')
      throw new Error(
        `ResponseBuilder.ended(): the response is ${this.#described()}; end one that was created, and once`,
      );
    if (status === 'failed' && !error)
      throw new Error(
        'ResponseBuilder.ended(): a response that failed says why; give it an error with code and message',
      );
    this.#state = 'over';
    return this.#event(status, { error: error ? { ...error } : null });
  }

  /** All events of a response of one text that comes in these pieces. */
  *generateStreamingResponse(
    textTokens: Iterable<string>,
    role: MessageOptions['role'] = 'assistant',
  ): Generator<AgentApiEvent, void> {
    yield this.created();
    yield this.inProgress();
    const message = this.createMessageBuilder({ role });
    yield message.created();
    const content = message.createContentBuilder('text');
    for (const token of textTokens) yield content.addTextDelta(token);
    yield content.complete();
    yield message.complete();
    yield this.completed();
  }

  #event(
    status: string,
    more: { readonly usage?: JsonObject | null; readonly error?: JsonObject | null },
  ): AgentApiEvent {
    const isOver = this.#state === 'over';
    return {
      sequence_number: this.#numbering.next(),
      object: 'response',
      status,
      error: more.error ?? null,
      id: this.#id,
      created_at: this.#createdAt,
      completed_at: isOver ? this.#now() : null,
      output: isOver ? this.#messages.filter(each => each.isBegun).map(each => each.value()) : null,
      usage: more.usage ?? null,
      session_id: this.#sessionId,
    };
  }

  #expect(state: State, call: string, advice: string): void {
    if (this.#state !== state)
      throw new Error(`ResponseBuilder.${call}: the response is ${this.#described()}; ${advice}`);
  }

  #described(): string {
    return DESCRIBED[this.#state];
  }
}

const DESCRIBED: Readonly<Record<State, string>> = {
  new: 'not created yet',
  created: 'created and not in progress yet',
  in_progress: 'in progress already',
  over: 'over',
};

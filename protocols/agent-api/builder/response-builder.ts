import {
  ENDS,
  EventStream,
  expectObject,
  expectOneOf,
  expectText,
  type AgentApiError,
  type AgentApiEvent,
  type JsonObject,
  type ResponseEnd,
  type Role,
} from './events.ts';
import { MessageBuilder, type MessageOptions } from './message-builder.ts';

export interface ResponseOptions {
  /** Makes an id that begins with this prefix, `response_` or `msg_`. */
  readonly newId: (prefix: string) => string;
  /** Seconds since 1970. */
  readonly now: () => number;
  readonly sessionId?: string | undefined;
  /**
   * Receives every event in order, also those that the builder adds: a message that gets a content without
   * `created()` is created first.
   */
  readonly emit?: ((event: AgentApiEvent) => void) | undefined;
}

type State = 'new' | 'created' | 'queued' | 'in_progress' | 'over';

/**
 * Builds the events of one response ("Agent API Protocol Builder"): created, in progress, messages, completed. Each
 * method returns its event. A call in the wrong state throws an error that says what to do. Reads no clock.
 */
export class ResponseBuilder {
  readonly id: string;
  readonly #options: ResponseOptions;
  readonly #createdAt: number;
  readonly #stream: EventStream;
  readonly #messages: MessageBuilder[] = [];
  #state: State = 'new';

  constructor(options: ResponseOptions) {
    if (options.sessionId !== undefined) expectText('new ResponseBuilder(): sessionId', options.sessionId);
    this.#options = options;
    this.id = options.newId('response_');
    this.#createdAt = options.now();
    this.#stream = new EventStream(options.emit);
  }

  created(): AgentApiEvent {
    this.#expect(['new'], 'created()', 'call it first, and once');
    return this.#enter('created');
  }

  /** The response waits for its turn. */
  queued(): AgentApiEvent {
    this.#expect(['created'], 'queued()', 'call it between created() and inProgress()');
    return this.#enter('queued');
  }

  inProgress(): AgentApiEvent {
    this.#expect(['created', 'queued'], 'inProgress()', 'call created() before it, and each of them once');
    return this.#enter('in_progress');
  }

  createMessageBuilder(options: MessageOptions = {}): MessageBuilder {
    const call = 'createMessageBuilder()';
    this.#expect(['in_progress'], call, 'a response takes messages between inProgress() and its end');
    expectObject(`ResponseBuilder.${call}`, options);
    const built = new MessageBuilder(this.#options.newId('msg_'), this.#stream, options);
    this.#messages.push(built);
    return built;
  }

  /** Ends the response, whose messages must be complete. */
  completed(usage?: JsonObject): AgentApiEvent {
    this.#expect(['in_progress'], 'completed()', 'call created() and inProgress() before it, and it once');
    const open = this.#messages.findIndex(each => each.isCreated && !each.isComplete);
    if (open !== -1)
      throw new Error(
        `ResponseBuilder.completed(): message ${open + 1} is not complete; call its complete() first`,
      );
    return this.#enter('over', { status: 'completed', usage: usage ?? null });
  }

  /** Ends a response that is not completed; its open messages and contents are incomplete. */
  ended(status: ResponseEnd, error?: AgentApiError): AgentApiEvent {
    this.#expect(
      ['created', 'queued', 'in_progress'],
      'ended()',
      'end a response that was created, and end it once',
    );
    expectOneOf('ResponseBuilder.ended()', status, ENDS);
    if (status === 'failed' && !error)
      throw new Error(
        'ResponseBuilder.ended(): a response that failed says why; give an error with code and message',
      );
    return this.#enter('over', { status, error: error ? { ...error } : null });
  }

  /** All events of a response with one text, which is sent token by token. */
  *generateStreamingResponse(given: {
    readonly textTokens: Iterable<string>;
    readonly role?: Role;
  }): Generator<AgentApiEvent, void> {
    yield this.created();
    yield this.inProgress();
    const message = this.createMessageBuilder(given.role === undefined ? {} : { role: given.role });
    yield message.created();
    const content = message.createContentBuilder('text');
    for (const token of given.textTokens) yield content.addTextDelta(token);
    if (!content.value()) content.setText('');
    yield content.complete();
    yield message.complete();
    yield this.completed();
  }

  #enter(state: Exclude<State, 'new'>, end: JsonObject & { readonly status?: string } = {}): AgentApiEvent {
    this.#state = state;
    const isOver = state === 'over';
    return this.#stream.send({
      object: 'response',
      status: state,
      error: null,
      id: this.id,
      created_at: this.#createdAt,
      completed_at: isOver ? this.#options.now() : null,
      output: isOver ? this.#messages.filter(each => each.isOutput).map(each => each.value()) : null,
      usage: null,
      session_id: this.#options.sessionId ?? null,
      ...end,
    });
  }

  #expect(states: readonly State[], call: string, advice: string): void {
    if (!states.includes(this.#state))
      throw new Error(`ResponseBuilder.${call}: the response ${STATE_WORDS[this.#state]}; ${advice}`);
  }
}

const STATE_WORDS: Readonly<Record<State, string>> = {
  new: 'is not created yet',
  created: 'is created, and not in progress yet',
  queued: 'is queued, and not in progress yet',
  in_progress: 'is in progress',
  over: 'has ended',
};

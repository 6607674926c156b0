import { ContentBuilder } from './content-builder.ts';
import type { AgentApiEvent, ContentType, JsonObject } from './events.ts';
import type { Numbering } from './response-builder.ts';

export interface MessageOptions {
  /** `assistant` if left out. */
  readonly role?: 'assistant' | 'user' | 'system' | 'tool';
  /** `message` if left out; any other type of the Agent API, such as `reasoning` or `plugin_call`. */
  readonly type?: string;
}

type State = 'new' | 'open' | 'complete';

/** Builds one message of a response: created, contents, complete. */
export class MessageBuilder {
  readonly #id: string;
  readonly #numbering: Numbering;
  readonly #role: string;
  readonly #type: string;
  readonly #contents: ContentBuilder[] = [];
  #state: State = 'new';

  /** Messages are made by `ResponseBuilder.createMessageBuilder`. */
  constructor(id: string, numbering: Numbering, { role = 'assistant', type = 'message' }: MessageOptions) {
    this.#id = id;
    this.#numbering = numbering;
    this.#role = role;
    this.#type = type;
  }

  get isBegun(): boolean {
    return this.#state !== 'new';
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  created(): AgentApiEvent {
    this.#expect('new', 'created()', 'it stands first, and once');
    this.#state = 'open';
    return this.#event('created', null);
  }

  /** Begins a content. Contents are numbered from 0, and none is left out. */
  createContentBuilder(type: ContentType = 'text', index = this.#contents.length): ContentBuilder {
    this.#expect(
      'open',
      'createContentBuilder()',
      'a message takes contents between created() and complete()',
    );
    if (index !== this.#contents.length)
      throw new Error(
        `MessageBuilder.createContentBuilder(): the next content has the index ${this.#contents.length}, not ${index}`,
      );
    const built = new ContentBuilder({ type, index, messageId: this.#id }, this.#numbering);
    this.#contents.push(built);
    return built;
  }

  /** The end of a message whose contents are complete; its event carries all of them. */
  complete(): AgentApiEvent {
    this.#expect('open', 'complete()', 'call created() before it, and complete() once');
    const open = this.#contents.findIndex(each => !each.isComplete);
    if (open >= 0)
      throw new Error(`MessageBuilder.complete(): content ${open} is still open; call its complete() first`);
    this.#state = 'complete';
    return this.#event('completed', this.#values());
  }

  /** The message as it stands in the output of its response. */
  value(): JsonObject {
    const isComplete = this.#state === 'complete';
    return this.#describe(null, isComplete ? 'completed' : 'incomplete', this.#values());
  }

  #values(): readonly JsonObject[] {
    return this.#contents.map(each => each.value());
  }

  #event(status: string, content: readonly JsonObject[] | null): AgentApiEvent {
    const number = this.#numbering.next();
    return { ...this.#describe(number, status, content), sequence_number: number, object: 'message', status };
  }

  #describe(number: number | null, status: string, content: readonly JsonObject[] | null): JsonObject {
    return {
      sequence_number: number,
      object: 'message',
      status,
      error: null,
      id: this.#id,
      type: this.#type,
      role: this.#role,
      content,
      code: null,
      message: null,
      usage: null,
      metadata: null,
    };
  }

  #expect(state: State, call: string, advice: string): void {
    if (this.#state !== state)
      throw new Error(`MessageBuilder.${call}: the message is ${DESCRIBED[this.#state]}; ${advice}`);
  }
}

const DESCRIBED: Readonly<Record<State, string>> = {
  new: 'not created yet',
  open: 'created already',
  complete: 'complete',
};

import { ContentBuilder } from './content-builder.ts';
import {
  CONTENT_TYPES,
  expectObject,
  expectOneOf,
  expectText,
  ROLES,
  type AgentApiError,
  type AgentApiEvent,
  type ContentType,
  type EventMembers,
  type EventStream,
  type JsonObject,
  type Role,
} from './events.ts';

export interface MessageOptions {
  /** `assistant` if left out. */
  readonly role?: Role;
  /** `message` if left out; any of the Agent API, such as `reasoning` or `plugin_call`. */
  readonly messageType?: string;
  /** The code and message of a message of the type `error`. */
  readonly error?: AgentApiError;
}

type State = 'new' | 'open' | 'complete';

/** A content of a message: one that is built, or one that was added whole. */
type BuiltContent = Pick<ContentBuilder, 'isComplete' | 'value'>;

/** Builds one message of a response: created, contents, completed. */
export class MessageBuilder {
  readonly id: string;
  readonly #stream: EventStream;
  readonly #role: Role;
  readonly #type: string;
  readonly #error: AgentApiError | undefined;
  readonly #contents = new Map<number, BuiltContent>();
  #nextIndex = 0;
  #state: State = 'new';

  /** Messages are made by `ResponseBuilder.createMessageBuilder()`. */
  constructor(id: string, stream: EventStream, options: MessageOptions) {
    const { role = 'assistant', messageType = 'message', error } = options;
    expectOneOf('ResponseBuilder.createMessageBuilder(): role', role, ROLES);
    expectText('ResponseBuilder.createMessageBuilder(): messageType', messageType);
    this.id = id;
    this.#stream = stream;
    this.#role = role;
    this.#type = messageType;
    this.#error = error;
  }

  get isCreated(): boolean {
    return this.#state !== 'new';
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /** True for a message of the output; a heartbeat only shows that the agent is alive. */
  get isOutput(): boolean {
    return this.isCreated && this.#type !== 'heartbeat';
  }

  /** Announces the message. Without this call the message is announced with its first content. */
  created(): AgentApiEvent {
    if (this.#state !== 'new')
      throw new Error('MessageBuilder.created(): the message was created before; call it once, and first');
    this.#state = 'open';
    return this.#stream.send(this.#describe('created', null));
  }

  /** Begins a content. Its index is the next one unless given; a message is complete with the indexes 0 to n. */
  createContentBuilder(contentType: ContentType = 'text', index = this.#nextIndex): ContentBuilder {
    const call = 'MessageBuilder.createContentBuilder()';
    this.#open(call);
    expectOneOf(call, contentType, CONTENT_TYPES);
    this.#reserve(call, index);
    const built = new ContentBuilder({ type: contentType, index, messageId: this.id }, this.#stream);
    this.#contents.set(index, built);
    return built;
  }

  /**
   * Adds a whole content, such as `{ type: 'text', text: 'Hello' }`. The event of a content of this message that is
   * complete adds nothing, because the message has it already.
   */
  addContent(content: JsonObject): AgentApiEvent {
    const call = 'MessageBuilder.addContent()';
    expectObject(call, content);
    const known = this.#contents.get(Number(content['index']));
    if (known?.isComplete && isEventOf(known, content)) return content;
    this.#open(call);
    expectOneOf(`${call}: type`, content['type'], CONTENT_TYPES);
    const { index = this.#nextIndex } = content;
    this.#reserve(call, index);
    const whole = {
      ...content,
      object: 'content',
      status: 'completed',
      error: null,
      index,
      delta: false,
      msg_id: this.id,
    } as const;
    this.#contents.set(Number(index), {
      isComplete: true,
      value: () => ({ sequence_number: null, ...whole }),
    });
    return this.#stream.send(whole);
  }

  /** Ends the message, whose contents must be complete; its event has all of them. */
  complete(): AgentApiEvent {
    const call = 'MessageBuilder.complete()';
    this.#open(call);
    for (const [index, content] of this.#contents)
      if (!content.isComplete)
        throw new Error(`${call}: content ${index} is not complete; call its complete() first`);
    for (let index = 0; index < this.#contents.size; index++)
      if (!this.#contents.has(index))
        throw new Error(`${call}: there is no content with the index ${index}; add it, or count from 0`);
    this.#state = 'complete';
    return this.#stream.send(this.#describe('completed', this.#values()));
  }

  /** The message as a part of the output of its response. */
  value(): JsonObject {
    const status = this.#state === 'complete' ? 'completed' : 'incomplete';
    return { sequence_number: null, ...this.#describe(status, this.#values()) };
  }

  #values(): readonly JsonObject[] | null {
    const sorted = [...this.#contents].sort(([one], [other]) => one - other);
    const values = sorted.map(([, content]) => content.value()).filter(value => value !== undefined);
    return values.length > 0 ? values : null;
  }

  #open(call: string): void {
    if (this.#state === 'complete') throw new Error(`${call}: the message is complete; begin a new one`);
    if (this.#state === 'new') {
      // A caller that only collects returned events would miss this one.
      if (this.#stream.hasListener) this.created();
      else this.#state = 'open';
    }
  }

  #reserve(call: string, index: unknown): void {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0)
      throw new Error(`${call}: an index is a whole number from 0`);
    if (this.#contents.has(index))
      throw new Error(`${call}: the message has a content with the index ${index} already`);
    this.#nextIndex = Math.max(this.#nextIndex, index + 1);
  }

  #describe(status: string, content: readonly JsonObject[] | null): EventMembers {
    return {
      object: 'message',
      status,
      error: null,
      id: this.id,
      type: this.#type,
      role: this.#role,
      content,
      code: this.#error?.code ?? null,
      message: this.#error?.message ?? null,
      usage: null,
      metadata: null,
    };
  }
}

/** True for an event of a content, such as the one that its `complete()` returned. */
function isEventOf(content: BuiltContent, event: JsonObject): event is AgentApiEvent {
  const value = content.value();
  return value !== undefined && JSON.stringify({ ...event, sequence_number: null }) === JSON.stringify(value);
}

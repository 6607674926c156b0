import type { message } from '../../../core/message/message.ts';
import { findEntry, listValue, textIn, type Value } from '../../../core/values/value.ts';
import { writeParts, type Part } from '../../content/part.ts';
import type { TextKind } from '../../event-stream/streamed-text.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { withoutState } from '../../serving/sent-items.ts';
import { writeItems, type ItemSink } from '../../serving/item-reply.ts';
import type { CallerReply } from '../../serving/serving.ts';
import type { ContentBuilder } from '../builder/content-builder.ts';
import { CONTENT_TYPES, ROLES, type JsonObject, type Role } from '../builder/events.ts';
import type { MessageBuilder } from '../builder/message-builder.ts';
import type { ResponseBuilder } from '../builder/response-builder.ts';
import { OF_FRAME } from '../content-fold.ts';
import { toJson } from './to-json.ts';

export interface OutputOptions {
  readonly codec: ServerCodec;
  readonly reply: Pick<CallerReply, 'note'>;
  readonly builder: ResponseBuilder;
}

/** A message that grows. */
interface OpenMessage {
  readonly kind: TextKind;
  readonly builder: MessageBuilder;
  text: ContentBuilder | undefined;
}

/** Writes the messages of one response. */
export class MessageOutput implements ItemSink {
  readonly #options: OutputOptions;
  #open: OpenMessage | undefined;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  grow(kind: TextKind, text: string): void {
    const open = this.#openMessage(kind);
    open.text ??= open.builder.createContentBuilder('text');
    open.text.addTextDelta(text);
  }

  cut(): void {
    this.#open?.text?.complete();
    if (this.#open) this.#open.text = undefined;
  }

  part(part: Part): void {
    const contents = this.#write({ content: writeParts([part]) }).flatMap(contentsOf);
    const { builder } = this.#openMessage('text');
    this.cut();
    for (const content of contents) builder.addContent(this.#toContent(content));
  }

  item(item: Value): void {
    this.close();
    // An approval is given by the id of its request.
    const own = textIn(findEntry(item, 'type')) === 'mcp_approval_request' ? item : withoutState(item);
    for (const written of this.#write({ items: listValue([own]) })) {
      const code = textIn(findEntry(written, 'code'));
      const text = textIn(findEntry(written, 'message'));
      const builder = this.#options.builder.createMessageBuilder({
        messageType: textIn(findEntry(written, 'type')) ?? 'message',
        role: toRole(textIn(findEntry(written, 'role'))),
        ...(code !== undefined && text !== undefined ? { error: { code, message: text } } : {}),
      });
      builder.created();
      for (const content of contentsOf(written)) builder.addContent(this.#toContent(content));
      builder.complete();
    }
  }

  note(text: string): void {
    this.#options.reply.note(text);
  }

  /** Ends the message that grows. */
  close(): void {
    this.cut();
    this.#open?.builder.complete();
    this.#open = undefined;
  }

  #openMessage(kind: TextKind): OpenMessage {
    if (this.#open?.kind === kind) return this.#open;
    this.close();
    const messageType = kind === 'text' ? 'message' : 'reasoning';
    const builder = this.#options.builder.createMessageBuilder({ messageType });
    builder.created();
    return (this.#open = { kind, builder, text: undefined });
  }

  #write(fields: Parameters<typeof message>[1]): readonly Value[] {
    return writeItems(fields, this.#options.codec, this.#options.reply);
  }

  /** A content for the builder; one of a type that the Agent API lacks is data. */
  #toContent(content: Value): JsonObject {
    const entries = content.kind === 'dict' ? content.entries : [];
    const { codec } = this.#options;
    const own = Object.fromEntries(
      entries
        .filter(({ key }) => !OF_FRAME.has(key))
        .map(({ key, value }) => [key, toJson(value, codec, text => this.note(text))]),
    );
    const type = textIn(findEntry(content, 'type'));
    if (CONTENT_TYPES.some(each => each === type)) return own;
    this.note(`The Agent API has no content of the type ${type ?? 'without a name'}; it is data`);
    return { type: 'data', data: own };
  }
}

function contentsOf(written: Value): readonly Value[] {
  const content = findEntry(written, 'content');
  return content?.kind === 'list' ? content.items : [];
}

function toRole(role: string | undefined): Role {
  return ROLES.find(each => each === role) ?? (role === 'developer' ? 'system' : 'assistant');
}

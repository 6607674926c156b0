import { NoteOnce } from '../../../core/message/report.ts';
import type { TokenUsage } from '../../../core/events/events.ts';
import type { Message } from '../../../core/message/message.ts';
import { findEntry, textIn } from '../../../core/values/value.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { ItemReply } from '../../serving/item-reply.ts';
import type { CallerReply, ServedReply } from '../../serving/serving.ts';
import { usageOfReply } from '../../serving/usage.ts';
import type { AgentApiError, JsonObject } from '../builder/events.ts';
import type { ResponseBuilder } from '../builder/response-builder.ts';
import { MessageOutput } from './output.ts';
import { toJson } from './to-json.ts';

export interface OpenOptions {
  readonly builder: ResponseBuilder;
  readonly codec: ServerCodec;
  readonly isStream: boolean;
}

/** A response while it is written with its builder. */
export class OpenResponse {
  readonly #builder: ResponseBuilder;
  readonly #codec: ServerCodec;
  readonly #reply: CallerReply;
  readonly #output: MessageOutput;
  readonly #items: ItemReply;
  #hasBegun = false;

  constructor({ builder, codec, isStream }: OpenOptions, reply: CallerReply) {
    this.#builder = builder;
    this.#codec = codec;
    this.#reply = reply;
    this.#output = new MessageOutput({ codec, reply: new NoteOnce(reply), builder });
    this.#items = new ItemReply(this.#output, isStream ? 'streamed' : 'whole');
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The agent received the request. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#builder.created();
    this.#builder.inProgress();
  }

  take(chunks: readonly Message[]): void {
    this.begin();
    this.#items.take(chunks);
  }

  /** Ends the response with the status that the reply means. */
  end(served: ServedReply): void {
    const error = served.status === 'error' ? this.#errorOf(served) : undefined;
    if (error && isRejected(served)) return this.#reject(error);
    this.begin();
    this.#items.end(served);
    if (error) return void this.#builder.ended('failed', error);
    if (served.status === 'ok') {
      this.#output.close();
      const usage = usageOfReply(served.message);
      return void this.#builder.completed(usage && writeUsage(usage));
    }
    this.#reply.note(textIn(served.message.fields.text) ?? 'The reply of the agent is incomplete');
    this.#builder.ended(served.status === 'cancelled' ? 'canceled' : 'incomplete');
  }

  #reject(error: AgentApiError): void {
    if (!this.#hasBegun) this.#builder.created();
    this.#builder.ended('rejected', error);
  }

  #errorOf({ message }: ServedReply): AgentApiError {
    const written = findEntry(this.#codec.write(message, this.#reply), 'error');
    const code = textIn(findEntry(written, 'code')) ?? '500';
    const text = textIn(findEntry(written, 'message')) ?? 'The agent failed';
    const data = findEntry(written, 'data');
    const more = data ? { data: toJson(data, this.#codec, text => this.#reply.note(text)) } : {};
    return { code, message: text, ...more };
  }
}

/** True for a request that the agent does not take: it was not sent, or the agent itself rejected it. */
function isRejected({ failure, message }: ServedReply): boolean {
  const own = findEntry(message.fields.rest, 'agent-api');
  return failure === 'refused' || textIn(findEntry(own, 'status')) === 'rejected';
}

function writeUsage({ input = 0, output = 0, cached, reasoning }: TokenUsage): JsonObject {
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { cached_tokens: cached }),
    ...(reasoning === undefined ? {} : { reasoning_tokens: reasoning }),
  };
}

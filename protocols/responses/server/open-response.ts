import { NoteOnce } from '../../../core/message/report.ts';
import type { TokenUsage } from '../../../core/events/events.ts';
import type { Message } from '../../../core/message/message.ts';
import {
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { PartPrinter } from '../../../language/values/json-printer.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { JSON_TYPE, writeEvent } from '../../serving/http-replies.ts';
import { ItemReply } from '../../serving/item-reply.ts';
import type { CallerReply, ServedReply } from '../../serving/serving.ts';
import { usageOfReply } from '../../serving/usage.ts';
import { responseFrame } from '../frame.ts';
import { ResponseOutput } from './output.ts';
import type { CreateRequest } from './read-create.ts';
import { bodyOf, headersOf, refusalOf, type Refusal } from './refusal.ts';

export interface ResponseFacts {
  readonly id: string;
  readonly agent: string;
  readonly now: () => number;
  readonly newId: () => string;
  readonly codec: ServerCodec;
}

/** How a response ended. */
export interface ResponseEnd {
  readonly status: 'completed' | 'failed' | 'incomplete' | 'cancelled';
  /** The whole response; undefined for one that never began, of which the caller received the refusal alone. */
  readonly response: DictValue | undefined;
}

/** What is known of a response at its end. */
interface ResponseFate {
  readonly refusal?: Refusal | undefined;
  readonly usage?: TokenUsage | undefined;
  /** The agent's own word for why the response is incomplete. */
  readonly reason?: string | undefined;
}

/** The reasons for which a response of this API is incomplete. */
const LIMITS: ReadonlySet<string> = new Set(['max_output_tokens', 'content_filter']);

/** A response while it is written, as events or as one body at its end. */
export class OpenResponse {
  readonly #facts: ResponseFacts;
  readonly #request: CreateRequest;
  readonly #reply: CallerReply;
  readonly #output: ResponseOutput;
  readonly #items: ItemReply;
  readonly #createdAt: number;
  readonly #printer = new PartPrinter();
  #number = 0;
  #hasBegun = false;
  /** True once a part of the reply has arrived. */
  #hasPart = false;

  constructor(facts: ResponseFacts, request: CreateRequest, reply: CallerReply) {
    this.#facts = facts;
    this.#request = request;
    this.#reply = reply;
    this.#createdAt = this.#seconds();
    const emit = (type: string, members: Readonly<Record<string, Value | undefined>>): void =>
      this.#emit(type, members);
    this.#output = new ResponseOutput({
      codec: facts.codec,
      newId: facts.newId,
      reply: new NoteOnce(reply),
      emit,
    });
    this.#items = new ItemReply(this.#output, request.isStream ? 'streamed' : 'whole');
  }

  /** The agent received the request: the caller of a stream learns the id of its response. */
  begin(): void {
    if (this.#hasBegun || !this.#request.isStream) return;
    this.#hasBegun = true;
    for (const step of ['created', 'in_progress'])
      this.#emit(`response.${step}`, { response: this.describe('in_progress') });
  }

  take(chunks: readonly Message[]): void {
    this.begin();
    this.#hasPart ||= chunks.length > 0;
    this.#items.take(chunks);
  }

  /** Ends the response, and sends it or its end. */
  end(served: ServedReply): ResponseEnd {
    const isCancelled = served.status === 'cancelled';
    const isPartial = isCancelled || served.status === 'incomplete';
    if (served.status === 'error' && !this.#hasBegun) return this.#refuse(served);
    this.begin();
    if (served.status !== 'error') this.#items.end(served);
    this.#output.close(served.status === 'ok' ? 'completed' : 'incomplete');
    const status =
      served.status === 'ok' ? 'completed' : served.status === 'error' ? 'failed' : served.status;
    if (isPartial)
      this.#reply.note(textIn(served.message.fields.text) ?? 'The reply of the agent is incomplete');
    const refusal = status === 'failed' ? this.#refusalOf(served) : undefined;
    const { reason } = served;
    const response = this.describe(status, { refusal, usage: usageOfReply(served.message), reason });
    this.#send(status === 'cancelled' ? 'incomplete' : status, response);
    return { status, response };
  }

  /** The response so far. */
  describe(status: string, { refusal, usage, reason = '' }: ResponseFate = {}): DictValue {
    const { id, agent } = this.#facts;
    return responseFrame({
      id: textValue(id),
      created_at: intValue(this.#createdAt),
      completed_at: status === 'completed' ? intValue(this.#seconds()) : NULL,
      status: textValue(status),
      error: refusal && errorOf(refusal),
      ...(LIMITS.has(reason) ? { incomplete_details: dictOf({ reason: textValue(reason) }) } : {}),
      model: textValue(agent),
      output: listValue(this.#output.items),
      usage: usage ? writeUsage(usage) : NULL,
      ...this.#request.repeated,
    });
  }

  /** Prints a value that has parts of the response. */
  print(value: Value): string {
    return this.#printer.print(value).join('');
  }

  #refuse(served: ServedReply): ResponseEnd {
    const refusal = this.#refusalOf(served);
    if (this.#hasPart) this.#reply.note('The part of the reply before its error is not sent to the caller');
    this.#reply.send(refusal.status, JSON_TYPE, this.#facts.codec.print(bodyOf(refusal)), headersOf(refusal));
    return { status: 'failed', response: undefined };
  }

  #refusalOf(served: ServedReply): Refusal {
    const written = this.#facts.codec.write(served.message, this.#reply);
    const refusal = refusalOf(served, findEntry(written, 'error'));
    if (served.failure !== 'refused') return refusal;
    const isMissing = refusal.status === 404 && this.#request.asked.kind === 'call';
    return { ...refusal, param: isMissing ? 'tool_choice' : 'input' };
  }

  #send(event: string, response: DictValue): void {
    if (!this.#request.isStream) return this.#reply.send(200, JSON_TYPE, this.print(response));
    this.#emit(`response.${event}`, { response });
    this.#reply.end();
  }

  #emit(type: string, members: Readonly<Record<string, Value | undefined>>): void {
    if (!this.#request.isStream) return;
    const event = dictOf({ type: textValue(type), sequence_number: intValue(this.#number++), ...members });
    writeEvent(this.#reply, this.#printer.print(event), type);
  }

  #seconds(): number {
    return Math.floor(this.#facts.now() / 1000);
  }
}

/** The error in a response that failed after it had begun. */
function errorOf({ code, message: text, data }: Refusal): DictValue {
  return dictOf({ code: textValue(code ?? 'server_error'), message: textValue(text), data });
}

function writeUsage({ input = 0, output = 0, cached = 0, reasoning = 0 }: TokenUsage): DictValue {
  return dictOf({
    input_tokens: intValue(input),
    input_tokens_details: dictOf({ cached_tokens: intValue(cached) }),
    output_tokens: intValue(output),
    output_tokens_details: dictOf({ reasoning_tokens: intValue(reasoning) }),
    total_tokens: intValue(input + output),
  });
}

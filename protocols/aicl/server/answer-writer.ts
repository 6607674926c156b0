import { findAiclError, MAX_MESSAGE_BYTES } from '../../../core/catalog/aicl.ts';
import { message, type Message } from '../../../core/message/message.ts';
import { NoteOnce, Report } from '../../../core/message/report.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { boolValue, intValue, textIn, textValue, type Value } from '../../../core/values/value.ts';
import { printAicl } from '../../../language/values/aicl-printer.ts';
import { TextSink } from '../../../language/values/text-layer.ts';
import { unmarked } from '../../content/canonical.ts';
import { NO_TOOLS } from '../../../language/tools.ts';
import { writeMessage } from '../../convert/write-message.ts';
import { TEXT_TYPE, headersOf, statusOf } from '../../serving/http-replies.ts';
import { noteLosses } from '../../serving/notes.ts';
import { ownError } from '../../serving/own-error.ts';
import type { CallerReply, CallFailure, ServedReply, ServerHost } from '../../serving/serving.ts';
import { splitMessage } from '../chunks.ts';
import { AICL_MESSAGES } from '../messages.ts';
import type { OpenSession } from './sessions.ts';

/** The messages of a reply, separated by line ends and sent at once. */
export class ReplyMessages {
  readonly #reply: CallerReply;
  readonly #host: ServerHost;
  readonly #notes: NoteOnce;
  #hasBegun = false;
  #isOver = false;

  constructor(reply: CallerReply, host: ServerHost) {
    this.#reply = reply;
    this.#host = host;
    this.#notes = new NoteOnce(reply);
  }

  /** Opens the writer of the answers to a message of the request, which is the last one or not. */
  open(session: string, place: 'more' | 'last' = 'last'): AnswerWriter {
    return new AnswerWriter(this, session, place, this.#host);
  }

  write(text: string): void {
    this.#reply.write(TEXT_TYPE, this.#hasBegun ? `\n${text}` : text);
    this.#hasBegun = true;
  }

  /** Writes the only message of a reply, with the status of a call that failed; any other one as `write` does. */
  writeOnly(text: string, failure: CallFailure | undefined): void {
    const status = statusOf(failure);
    if (this.#hasBegun || status === undefined) return this.write(text);
    this.#isOver = true;
    this.#reply.send(status, TEXT_TYPE, text, headersOf(status));
  }

  note(text: string): void {
    this.#notes.note(text);
  }

  drained(): Promise<void> | undefined {
    return this.#reply.drained();
  }

  end(): void {
    if (!this.#isOver) this.#reply.end();
  }
}

/** Writes the answers to one message of a caller, in its session. */
export class AnswerWriter {
  readonly #messages: ReplyMessages;
  readonly #session: Value;
  readonly #place: 'more' | 'last';
  readonly #host: ServerHost;
  /** The name of the stream in which a reply is sent that arrives in chunks, and the number of chunks so far. */
  readonly #stream: string;
  #count = 0;
  /** A chunk with a value waits for the next, because an empty last chunk could not be joined with it. */
  #held: Message | undefined;

  constructor(messages: ReplyMessages, session: string, place: 'more' | 'last', host: ServerHost) {
    this.#messages = messages;
    this.#session = textValue(session);
    this.#place = place;
    this.#host = host;
    this.#stream = `reply-${host.newId().slice(0, 8)}`;
  }

  /** Sends an error. */
  fail(code: number, detail: string): void {
    this.send(message('error', errorFields(code, detail)));
  }

  send(sent: Message): void {
    for (const text of this.#textsOf(sent)) this.#messages.write(text);
  }

  note(text: string): void {
    this.#messages.note(text);
  }

  drained(): Promise<void> | undefined {
    return this.#messages.drained();
  }

  /** Sends chunks of a reply: their number is not known yet, so that the total grows with each. */
  take(chunks: readonly Message[]): void {
    for (const chunk of chunks) {
      if (chunk.fields.event) {
        this.note('The chunks of LightAICL are an answer, so the reasoning is left out');
        continue;
      }
      this.#release();
      if (textIn(chunk.fields.data) === undefined) this.#held = chunk;
      else this.#sendChunk(chunk, 'more');
    }
  }

  /** Sends the rest of a reply. What the agent asks follows, and the session waits for the answer. */
  end(served: ServedReply, session: OpenSession): void {
    const whole = ownError(AICL_MESSAGES.facts, served, this.#host.protocols);
    if (this.#count > 0 || this.#held) this.#endStream(whole, served);
    else if (whole.kind === 'error') this.#sendError(whole, served.failure);
    else if (served.question === undefined) this.send(whole);
    else if (served.request && hasContent(whole)) this.send(whole);
    if (served.question === undefined) return;
    session.waits = served.request ? 'result' : 'text';
    const words = this.#count > 0 ? undefined : textIn(whole.fields.data);
    this.send(served.request ?? message('query', { query: textValue(words ?? served.question) }));
  }

  #endStream(whole: Message, { unsent, failure }: ServedReply): void {
    if (unsent || whole.kind === 'error') this.#release();
    const last = whole.kind === 'error' ? undefined : (unsent ?? this.#held ?? EMPTY);
    this.#held = undefined;
    if (last) return this.#sendChunk(last, 'last');
    if (unsent) this.#sendChunk(unsent, 'more');
    this.#sendError(whole, failure);
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#sendChunk(held, 'more');
  }

  #sendChunk(chunk: Message, place: 'more' | 'last'): void {
    const { data, content } = unmarked(chunk).fields;
    const index = ++this.#count;
    const isLast = place === 'last';
    this.send(
      message('chunk', {
        data,
        content,
        stream: textValue(this.#stream),
        index: intValue(index),
        total: intValue(isLast ? index : index + 1),
        ...(isLast ? { final: boolValue(true) } : {}),
      }),
    );
  }

  /** Sends an error; one that is not the agent's own says what happened in its detail, as the protocol's reasons are names. */
  #sendError({ fields }: Message, failure: CallFailure | undefined): void {
    const { code } = fields;
    const isOwn = failure !== undefined && code?.kind === 'int' && textIn(fields.protocol) === 'aicl';
    const sent = isOwn ? errorFields(Number(code.int), textIn(fields.text) ?? '') : fields;
    const [text = '', ...others] = this.#textsOf(message('error', sent));
    this.#messages.writeOnly(text, this.#place === 'last' ? failure : undefined);
    for (const other of others) this.#messages.write(other);
  }

  /** A message as text: one that is longer than LightAICL allows as its chunks. */
  #textsOf(sent: Message): readonly string[] {
    const { protocols, newId } = this.#host;
    const report = new Report();
    const named = message(sent.kind, { ...sent.fields, session: this.#session });
    const value = writeMessage('aicl', named, {
      report,
      protocols,
      tools: NO_TOOLS,
      numbers: 'exact',
      id: 1,
    });
    const sink = new TextSink();
    printAicl(value, sink, 'compact', report);
    noteLosses(sent, AICL_MESSAGES.facts, report, this);
    const text = sink.toString();
    const length = utf8Length(text);
    if (length <= MAX_MESSAGE_BYTES) return [text];
    const split = splitMessage(text, MAX_MESSAGE_BYTES, `part-${newId().slice(0, 8)}`);
    if (split.ok) return split.chunks;
    this.note(`The message has ${length} bytes and was sent whole: ${split.reason}`);
    return [text];
  }
}

const EMPTY = message('chunk', { data: textValue('') });

function hasContent({ fields: { data, content } }: Message): boolean {
  return content !== undefined || (data !== undefined && textIn(data) !== '');
}

/** The fields of an error whose reason is the name of its code. */
function errorFields(code: number, detail: string): Message['fields'] {
  return {
    protocol: textValue('aicl'),
    code: intValue(code),
    text: textValue(findAiclError(code)?.name ?? 'PROTOCOL_ERROR'),
    data: textValue(detail),
  };
}

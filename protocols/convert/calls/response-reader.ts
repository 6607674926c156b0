import type { EventFold } from '../../event-stream/event-fold.ts';
import type { RetainedPart } from '../../event-stream/response-fold.ts';
import type { StreamedText } from '../../event-stream/streamed-text.ts';
import { message, type Message, type ReplyForm } from '../../../core/message/message.ts';
import { Report } from '../../../core/message/report.ts';
import {
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { canonical, contentOf } from '../../content/canonical.ts';
import { writeParts } from '../../content/part.ts';
import { PIECE } from '../../event-stream/joined.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Reading } from '../../message/shape.ts';
import type { Protocol } from '../../protocol.ts';
import type { UnfinishedReply } from '../../reply-recognition.ts';
import { toReadableResponse } from './readable-response.ts';

/** The reader for a protocol's responses; undefined for a protocol that has none. */
export function openResponse(
  protocol: Protocol,
  reading: Reading,
  keeps: RetainedPart,
  form: ReplyForm,
): ResponseReader | undefined {
  const fold = protocol.replies.openFold?.(keeps);
  return fold && new ResponseReader(protocol, reading, fold, form);
}

/** Reads one response while it arrives: its texts as chunks, and at the end the whole response as one message. */
export class ResponseReader {
  readonly #protocol: Protocol;
  readonly #reading: Reading;
  readonly #fold: EventFold;
  readonly #form: ReplyForm;
  #hasBegun = false;
  #whole: Value | undefined;
  #hasEnd = true;

  constructor(protocol: Protocol, reading: Reading, fold: EventFold, form: ReplyForm) {
    this.#protocol = protocol;
    this.#reading = reading;
    this.#fold = fold;
    this.#form = form;
  }

  /** True where at least one event or response of the protocol was read. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get isOver(): boolean {
    return this.#hasBegun && this.#fold.isOver;
  }

  push(event: Value): readonly Message[] {
    this.#hasBegun ||= this.#isOurs(event);
    const item = this.#form === 'items' && !this.#fold.isOver ? this.#fold.endedItem(event) : undefined;
    this.#fold.push(event);
    const session = this.#fold.session;
    const texts = this.#fold.texts.take().map(({ kind, text, own, of }) =>
      message('chunk', {
        data: textValue(this.#form === 'items' ? own : text),
        ...(kind === 'reasoning' ? { event: textValue('reasoning') } : {}),
        ...(session === undefined ? {} : { session: textValue(session) }),
        ...(this.#form === 'items' ? { rest: this.#inPiece(of) } : {}),
      }),
    );
    const ended = item && this.#readItem(item);
    return ended ? [...texts, ended] : texts;
  }

  #inPiece(of: number): Value {
    return dictOf({ [this.#protocol.facts.name]: dictOf({ [PIECE]: textValue(String(of)) }) });
  }

  /** An item as a chunk, without its texts, which are chunks of their own; undefined if it has nothing else. */
  #readItem(item: DictValue): Message | undefined {
    const response = dictOf({ object: textValue('response'), output: listValue([item]) });
    const quiet = { ...this.#reading, report: new Report(), number: (read: Message) => read };
    const read = this.#protocol.shape?.read(response, quiet);
    const { items, ...others } = read?.fields ?? {};
    if (read?.kind !== 'result') return undefined;
    if (items?.kind === 'list') return isReasoning(items.items[0]) ? undefined : message('chunk', { items });
    const parts = contentOf(canonical(message('result', others))).parts.filter(({ type }) => type !== 'text');
    return parts.length === 0 ? undefined : message('chunk', { content: writeParts(parts) });
  }

  /** Ends the stream and returns the whole response. */
  end(): readonly Message[] {
    if (!this.#hasBegun) return [];
    this.#whole = this.#fold.whole();
    this.#hasEnd = this.#fold.isOver;
    for (const note of this.#fold.notes) this.#reading.report.note(note);
    if (this.#fold.texts.hasConflict)
      this.#reading.report.note(
        'The final text differs from its streamed chunks, which were shown; it is in `output`',
      );
    const read = this.#whole && this.#protocol.shape?.read(this.#whole, this.#reading);
    return read ? [this.#arrange(read, this.#fold.texts)] : [];
  }

  /** Reads a body that is a whole response; undefined for any other value. */
  readWhole(value: Value): Message | undefined {
    if (!this.#isOurs(value)) return undefined;
    const read = this.#protocol.shape?.read(value, this.#reading);
    if (!read) return undefined;
    this.#hasBegun = true;
    this.#whole = value;
    return this.#arrange(read, undefined);
  }

  #arrange(read: Message, shown: StreamedText | undefined): Message {
    return this.#form !== 'readable' ? read : toReadableResponse(read, this.#protocol.facts.name, shown);
  }

  /** The status of a response that was rejected or cancelled, in place of an error code; else undefined. */
  get endWord(): string | undefined {
    return this.#status === 'rejected' || CANCELLED.has(this.#status) ? this.#status : undefined;
  }

  /** The response in its own protocol, once it is over. */
  get whole(): Value | undefined {
    return this.#whole;
  }

  /** True for an event that begins another response, as after a request that the agent made itself. */
  isNext(event: Value): boolean {
    const isBegin =
      textIn(findEntry(event, 'type')) === 'response.created' ||
      textIn(findEntry(event, 'status')) === 'created';
    return this.isOver && isBegin && this.#isOurs(event);
  }

  /** Why the response is unfinished: the agent's own word for it, or its end is missing. */
  get unfinished(): UnfinishedReply | undefined {
    const status = this.#status;
    if (!this.#hasEnd)
      return {
        status: 'incomplete',
        message:
          'The stream ended before its last event; the received part is stored, send again for the rest',
      };
    if (CANCELLED.has(status))
      return {
        status: 'cancelled',
        code: status,
        message: 'The agent cancelled the response; the received part is stored',
      };
    if (status !== 'incomplete' && !OPEN.has(status)) return undefined;
    const reason = textIn(findEntry(findEntry(this.#whole, 'incomplete_details'), 'reason'));
    const why = reason === undefined ? '' : ` (${reason})`;
    const message =
      status === 'incomplete'
        ? `The agent ended the response before it was complete${why}; the received part is stored`
        : `The response is ${status.replace('_', ' ')} and not complete; the received part is stored`;
    return { status: 'incomplete', code: reason ?? status, message };
  }

  get #status(): string {
    return textIn(findEntry(this.#whole, 'status')) ?? '';
  }

  #isOurs(value: Value): boolean {
    const { shape } = this.#protocol;
    if (shape?.recognises(value) || shape?.stream?.recognises(value)) return true;
    const error = findEntry(value, 'error');
    if (findEntry(value, 'jsonrpc')) return false;
    return (
      textIn(findEntry(value, 'object')) === 'response' || (error !== undefined && error.kind !== 'null')
    );
  }
}

function isReasoning(item: Value | undefined): boolean {
  return textIn(findEntry(item, 'type')) === 'reasoning';
}

/** Statuses of a response that is not over yet. */
const OPEN: ReadonlySet<string> = new Set(['created', 'in_progress', 'queued', 'unknown']);

/** The Agent API and OpenAI spell it differently. */
const CANCELLED: ReadonlySet<string> = new Set(['canceled', 'cancelled']);

import { findMessageKind } from '../../../core/catalog/message-kinds.ts';
import { findConversion } from '../../../core/catalog/conversions.ts';
import { EventText, type StreamEvent } from '../../event-stream/event-text.ts';
import type { KeptPart } from '../../event-stream/response-fold.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { message, withoutField, type Message } from '../../../core/message/message.ts';
import type { Outcome } from '../../../core/message/outcome.ts';
import { findEntry, textIn, type Value } from '../../../core/values/value.ts';
import { findMeaning } from '../../errors/error-code.ts';
import { takeSteps, type MessageTaker, type SourceMessage } from '../read-text.ts';
import type { Report } from '../../../core/message/report.ts';
import type { Reading, StreamReader } from '../../message/shape.ts';
import type { Protocol } from '../../protocol.ts';
import {
  jsonPieceSteps,
  jsonValueSteps,
  readJsonPieces,
  readJsonValue,
  readStrictJson,
} from '../../../language/values/json-reader.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { isSse } from '../../../language/values/sse.ts';
import { openResponse, type ResponseEnd, type ResponseReader } from './response-reader.ts';

/** Hears the data of an event before it is read, and its value; undefined where it is no JSON. */
type HearEvent = (data: string, value: Value | undefined) => void;

/** What is read of an event where nobody wants to know what it says. */
const PART = message('chunk', {});

/**
 * Reads the reply to one request while it comes: events of a stream as soon as each is whole, any other body at its end.
 * Messages have no id: what they answer is known. Where a protocol sends one response in many events, its texts are parts
 * as they come, and the response with all else is the last message. Who wants the outcome alone is told how a response
 * stands, and nothing of what it says. Total, and linear in the text.
 */
export class ReplyReader {
  readonly #protocol: Protocol;
  readonly #reading: Reading;
  readonly #keeps: KeptPart;
  readonly #hear: HearEvent;
  #response: ResponseReader | undefined;
  readonly #events = new EventText();
  /** What came before the form of the body is known, and all of a body that is no stream. */
  readonly #pieces: string[] = [];
  #form: 'unknown' | 'events' | 'whole' = 'unknown';
  #stream: StreamReader | undefined;
  #last: Message | undefined;
  #isOver = false;
  #isOneMessage = false;
  #broken = 0;

  constructor(
    protocol: Protocol,
    tools: ToolTable,
    report: Report,
    keeps: KeptPart = 'all',
    hear: HearEvent = () => undefined,
  ) {
    this.#protocol = protocol;
    this.#keeps = keeps;
    this.#hear = hear;
    this.#reading = { report, tools, number: read => withoutField(read, 'id'), hasForeignNames: true };
    this.#response = openResponse(protocol, this.#reading, keeps);
  }

  /** Takes text and answers the messages that are whole with it. */
  push(text: string): readonly Message[] {
    if (this.#form === 'events') return this.#keep(this.#readEvents(this.#events.push(text)));
    this.#pieces.push(text);
    if (this.#form === 'whole') return [];
    const begun = this.#pieces.join('');
    this.#form = this.#findForm(begun);
    if (this.#form !== 'events') return [];
    this.#pieces.length = 0;
    return this.#keep(this.#readEvents(this.#events.push(begun)));
  }

  /** The end of the text: what it still says. */
  end(): readonly Message[] {
    return runAtOnce(this.endSteps());
  }

  /** The same in slices. */
  *endSteps(): Generator<undefined, readonly Message[]> {
    const rest = this.#pieces.join('');
    this.#pieces.length = 0;
    const isStream = this.#form === 'events' || (this.#mayStream && isSse(rest));
    if (!isStream) return this.#keep(yield* this.#wholeSteps(rest));
    const last = [...this.#readEvents([...this.#events.push(rest), ...this.#events.end()])];
    this.#tellOdd();
    return this.#keep([...last, ...(this.#response?.end() ?? this.#stream?.end() ?? [])]);
  }

  /** True once a message has ended the reply: nothing that follows belongs to it. */
  get isOver(): boolean {
    return this.#isOver || this.#response?.isOver === true;
  }

  /** True where something of the reply was a message of the protocol. */
  get isProtocol(): boolean {
    return this.#last !== undefined || this.#response?.hasBegun === true;
  }

  /** True where the whole body is one message of the protocol: its form has no fault. */
  get isOneMessage(): boolean {
    return this.#isOneMessage;
  }

  /** What the reply amounts to so far. */
  get outcome(): Outcome {
    if (this.#last?.kind !== 'error') return { kind: 'result' };
    return toErrorOutcome(this.#protocol.facts.name, this.#last, this.#response?.endWord);
  }

  /** The response in its own protocol, once it is over, where the protocol has responses. */
  get response(): Value | undefined {
    return this.#response?.whole;
  }

  /** Why the reply is not whole although all of its text came, in the agent's own words or for want of its end. */
  get unfinished(): ResponseEnd | undefined {
    return this.#response?.unfinished;
  }

  /** Characters that were looked at one by one: tests hold it to the length of the reply. */
  get work(): number {
    return this.#events.work;
  }

  /** Two languages of ours look like no stream, whatever their texts begin with. */
  get #mayStream(): boolean {
    return this.#protocol.facts.language === 'json';
  }

  #findForm(text: string): 'unknown' | 'events' | 'whole' {
    const start = text.trimStart();
    if (!this.#mayStream || /^[{[]/.test(start)) return 'whole';
    if (start.startsWith(':') || isSse(text)) return 'events';
    // A field's name may have come in part; what is nothing but blanks for so long is looked at in the end.
    return text.length < LONGEST_START && /^\uFEFF?[a-z]{0,5}$/.test(start) ? 'unknown' : 'whole';
  }

  #readEvents(events: readonly StreamEvent[]): readonly Message[] {
    return events.flatMap(({ data }) => this.#valuesOf(data).flatMap(value => this.#readValue(value)));
  }

  #valuesOf(data: string): readonly Value[] {
    if (data.trim() === DONE) return [];
    const value = readJsonValue(data);
    if (value) {
      this.#hear(data, value);
      return [value];
    }
    const { pieces } = readJsonPieces(data);
    if (pieces.length === 0) this.#broken++;
    this.#hear(data, readStrictJson(data)?.value);
    return pieces.map(piece => piece.value);
  }

  #readValue(value: Value): readonly Message[] {
    if (this.#response) return this.#pushResponse(this.#response, value);
    const { shape } = this.#protocol;
    if (!shape) return [];
    if (this.#keeps === 'outcome' && shape.stream?.isPart?.(value)) return [PART];
    if (shape.stream?.recognises(value)) {
      this.#stream ??= shape.stream.reader(this.#reading);
      return this.#stream.push(value);
    }
    const read = shape.read(value, this.#reading);
    return read ? [read] : [];
  }

  #pushResponse(response: ResponseReader, value: Value): readonly Message[] {
    if (!response.isNext(value)) return response.push(value);
    const before = response.end();
    this.#response = openResponse(this.#protocol, this.#reading, this.#keeps);
    return [...before, ...(this.#response?.push(value) ?? [])];
  }

  /** The responses that a body holds: more than one where an agent asked something in between. */
  *#responseSteps(text: string, value: Value | undefined): Generator<undefined, readonly Message[]> {
    if (!this.#response) return [];
    const values: Value[] = value ? [value] : [];
    if (!value) yield* jsonPieceSteps(text, undefined, piece => values.push(piece.value));
    const read: Message[] = [];
    for (const each of values) {
      const response = openResponse(this.#protocol, this.#reading, this.#keeps);
      const found = response?.readWhole(each);
      if (!found) return [];
      this.#response = response;
      read.push(found);
    }
    return read;
  }

  *#wholeSteps(text: string): Generator<undefined, readonly Message[]> {
    const one = yield* this.#oneSteps(text);
    if (one.length > 0) return one;
    const { report, tools } = this.#reading;
    const options = { from: findConversion(this.#protocol.facts.name)?.name, tools, report };
    const { taker } = yield* takeSteps(text, options, () => new BodyMessages(this.#keeps));
    // An agent that answers in another language of ours alone does not speak its protocol.
    return this.#mayStream && taker.isForeign ? [] : taker.messages;
  }

  /** What a body says that is one value. That value is dropped before the body is read in any other way. */
  *#oneSteps(text: string): Generator<undefined, readonly Message[]> {
    const value = this.#mayStream ? yield* jsonValueSteps(text) : undefined;
    const responses = yield* this.#responseSteps(text, value);
    if (responses.length > 0) return responses;
    const only = value && this.#readOnly(value);
    this.#isOneMessage = only !== undefined;
    return only ? [only] : [];
  }

  /** The message of a body that is one message of the protocol, as most are: nothing else has to be looked for. */
  #readOnly(value: Value): Message | undefined {
    const { shape } = this.#protocol;
    if (!shape?.recognises(value) || shape.stream?.recognises(value)) return undefined;
    return shape.read(value, this.#reading);
  }

  #tellOdd(): void {
    const { report } = this.#reading;
    if (this.#broken > 0)
      report.note(
        `${this.#broken} of the stream's events are no JSON; they stand in what came over the wire only`,
      );
    if (this.#events.foreignLines > 0)
      report.note(
        `${this.#events.foreignLines} of the stream's lines belong to no event; they stand in what came over the wire only`,
      );
  }

  #keep(messages: readonly Message[]): readonly Message[] {
    for (const read of messages) {
      this.#last = read;
      this.#isOver ||= read.kind === 'end' || findMessageKind(read.kind)?.role === 'reply';
    }
    return messages;
  }
}

/** Stores the messages of a body as they are read; of who wants the outcome alone the last one. */
class BodyMessages implements MessageTaker {
  readonly messages: Message[] = [];
  /** True where all of it is in another language of ours. */
  isForeign = true;
  readonly #keeps: KeptPart;

  constructor(keeps: KeptPart) {
    this.#keeps = keeps;
  }

  take({ message: read, protocol }: SourceMessage): void {
    if (protocol !== 'aicl' && protocol !== 'aicf') this.isForeign = false;
    if (read.kind === 'value') return;
    if (this.#keeps === 'outcome') this.messages.length = 0;
    this.messages.push(withoutField(read, 'id'));
  }
}

/** Characters of a body by which its form is known. */
const LONGEST_START = 1_000;

/** What some servers end a stream with. */
const DONE = '[DONE]';

function toErrorOutcome(protocol: string, { fields }: Message, word: string | undefined): Outcome {
  const code = printCode(fields.code) ?? word;
  const said = textIn(fields.text) ?? textIn(findEntry(fields.data, 'message')) ?? '';
  return {
    kind: 'error',
    protocol,
    code,
    meaning: findMeaning(protocol, code),
    text: said || 'The agent answered with an error and did not say why; look at its reply',
  };
}

function printCode(code: Value | undefined): string | undefined {
  if (code?.kind === 'int') return String(code.int);
  return textIn(code);
}

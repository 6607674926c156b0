import { findMessageKind } from '../../../core/catalog/message-kinds.ts';
import type { RetainedPart } from '../../event-stream/response-fold.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { message, type Message, type Outcome, type ReplyForm } from '../../../core/message/message.ts';
import type { Value } from '../../../core/values/value.ts';
import { takeSteps } from '../read-text.ts';
import { BodyMessages, withoutNames } from './body-messages.ts';
import type { Report } from '../../../core/message/report.ts';
import type { Reading, StreamReader } from '../../message/shape.ts';
import { Protocols, type Carried, type Protocol } from '../../protocol.ts';
import type { ReplyBody, UnfinishedReply } from '../../reply-recognition.ts';
import type { TextFault } from '../../../language/values/text-layer.ts';
import { jsonPieceSteps } from '../../../language/values/json-reader.ts';
import { countOf } from '../../../core/text/count.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { findApprovals, type ApprovalRequest } from '../../event-stream/approvals.ts';
import { ReplyEvent, ReplyEvents } from '../../event-stream/reply-events.ts';
import { toErrorOutcome } from './error-outcome.ts';
import { hasTooManyValues, TOO_MANY_VALUES } from './value-count.ts';
import { openResponse, type ResponseReader } from './response-reader.ts';

export type { ReplyEvent };

/** How a stream ends whose last event has incomplete JSON. */
const CUT_EVENT: UnfinishedReply = {
  status: 'incomplete',
  message: 'The stream ended within an event; the received part is stored, send again for the rest',
};

/** The placeholder for a part whose content the caller does not need. */
const PART = message('chunk', {});

/** Receives each event of a stream, or the parsed JSON body of a reply that is no stream, before it is read. */
export type EventObserver = (event: ReplyEvent) => void;

/** A body of JSON that is not exactly one value. */
export interface BrokenBody {
  /** The number of values in it. */
  readonly values: number;
  /** The first fault in it. */
  readonly fault: string | undefined;
}

/** The context for reading a reply. Without `protocols`, errors of other protocols inside it are read as its own. */
export interface ReplyContext {
  readonly tools: ToolTable;
  readonly report: Report;
  readonly protocols?: Protocols;
  /** By default `readable`. */
  readonly form?: ReplyForm;
}

/**
 * Reads the reply to one request while it arrives: events of a stream, lines of AICF and messages of AICL as soon as
 * each is complete, any other body at its end. Messages have no id, because their request is known. For a protocol that sends one
 * response in many events, texts are emitted as chunks, and the whole response as the last message. With
 * `keeps` `outcome`, only the state of the response is read. Total, and linear in the text.
 */
export class ReplyReader {
  readonly #protocol: Protocol;
  readonly #reading: Reading;
  readonly #keeps: RetainedPart;
  readonly #form: ReplyForm;
  readonly #onEvent: EventObserver;
  /** Reads a body whose messages are not JSON; what it says besides them is known once it has ended. */
  readonly body: ReplyBody | undefined;
  #response: ResponseReader | undefined;
  #events: ReplyEvents;
  /** The text of a body that is no stream. */
  readonly #pieces: string[] = [];
  /** Returns all text so far, for a caller that holds it anyway; then a body that is no stream is not held twice. */
  #source: (() => string) | undefined;
  #isWhole = false;
  /** The body that the caller has parsed. */
  #parsed: ReplyEvent | undefined;
  #brokenBody: BrokenBody | undefined;
  /** True where the text ended within an event, whose JSON is incomplete. */
  #isCut = false;
  #carried: Carried = {};
  #asks: string | undefined;
  /** The number of characters so far. */
  #length = 0;
  #stream: StreamReader | undefined;
  #last: Message | undefined;
  #isOver = false;
  #isOneMessage = false;
  #isTooLarge = false;
  /** The number of events so far. */
  #count = 0;
  /** Events that are not JSON, that are no message of the protocol, and that came after the end of the reply. */
  #broken = 0;
  #foreign = 0;
  #late = 0;

  constructor(
    protocol: Protocol,
    { tools, report, protocols = new Protocols([protocol]), form = 'readable' }: ReplyContext,
    keeps: RetainedPart = 'all',
    observe: EventObserver = () => undefined,
    source?: () => string,
  ) {
    this.#source = source;
    this.#protocol = protocol;
    this.#keeps = keeps;
    this.#form = form;
    this.#onEvent = observe;
    this.#events = new ReplyEvents('unknown');
    this.#reading = {
      report,
      protocols,
      tools,
      number: read => withoutNames(read),
      hasForeignNames: true,
    };
    this.body = protocol.replies.openBody?.(this.#reading, keeps);
    this.#response = this.#openResponse();
  }

  /** Takes text and returns the messages that it completes. */
  push(text: string): readonly Message[] {
    if (this.body) return this.#keep(this.body.push(text));
    this.#length += text.length;
    const read = this.#events.push(text).flatMap(event => this.pushEvent(event));
    this.#retain();
    return read;
  }

  /** Takes an event of the reply, for a caller that splits the reply itself. */
  pushEvent(event: ReplyEvent): readonly Message[] {
    this.#onEvent(event);
    this.#count++;
    const { value } = event;
    const { pieces, faults } = value ? { pieces: [{ value }], faults: [] } : event.readPieces();
    const hadEnd = this.#last?.kind === 'end' || this.#last?.kind === 'error' || this.#late > 0;
    const read = this.#keep(pieces.flatMap(each => this.#readValue(each.value)));
    const isBroken = pieces.length === 0 || (!value && read.length === 0 && !this.#response);
    if (!isBroken) this.#lose(faults, `event ${this.#count}`);
    // A reader of responses reports what it cannot read, and what comes after their end.
    if (isBroken) this.#broken++;
    else if (!this.#response && read.length === 0) this.#foreign++;
    else if (value && !this.#response && hadEnd) this.#late++;
    return read;
  }

  /** Takes the whole body, which is no stream, for a caller that has parsed it. */
  pushBody(body: ReplyEvent): void {
    this.#isWhole = true;
    this.#parsed = body;
  }

  /** Ends the text and returns the remaining messages. */
  end(): readonly Message[] {
    return runAtOnce(this.endSteps());
  }

  /** The same in slices. */
  *endSteps(): Generator<undefined, readonly Message[]> {
    if (this.body) return this.#keep(yield* this.body.endSteps());
    const ends = this.#events.end();
    this.#isCut = ends.some(event => /^\s*[{[]/.test(event.data) && event.wholeValue === undefined);
    const last = ends.flatMap(event => this.pushEvent(event));
    this.#retain();
    const whole = this.#takeWhole();
    yield;
    if (whole) {
      this.#isTooLarge = yield* hasTooManyValues(whole.data);
      return this.#isTooLarge ? [] : this.#keep(yield* this.#wholeSteps(whole));
    }
    this.#reportUnexpected();
    return this.#keep([...last, ...(this.#response?.end() ?? this.#stream?.end() ?? [])]);
  }

  /** Begins the text of another exchange that continues the stream; outcome and state are those of that text. */
  continueStream(source?: () => string): void {
    this.#source = source;
    this.#events = new ReplyEvents('unknown');
    this.#isWhole = false;
    this.#last = undefined;
    this.#isOver = false;
  }

  /** True for a body that is no stream, once that is known. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The number of characters so far that may be shown; undefined for a body of which nothing is shown before its end. */
  get shownTo(): number | undefined {
    if (this.body) return this.body.shownTo;
    return this.isWhole ? undefined : this.isProtocol ? this.#length : 0;
  }

  /** True once a message has ended the reply: later text does not belong to it. */
  get isOver(): boolean {
    if (this.body) return this.body.isOver;
    return this.#isOver || this.#response?.isOver === true;
  }

  /** True where the body has too many values to be read. */
  get isTooLarge(): boolean {
    return this.body?.isTooLarge ?? this.#isTooLarge;
  }

  /** True where at least one part of the reply was a message of the protocol, or may be one that is not read. */
  get isProtocol(): boolean {
    if (this.body) return this.body.isProtocol;
    return this.#last !== undefined || this.#response?.hasBegun === true || this.#isTooLarge;
  }

  /** True where the whole body is one message of the protocol, so that its form is valid. */
  get isOneMessage(): boolean {
    return this.#isOneMessage;
  }

  /** Set if the body is JSON, and not exactly one value. */
  get brokenBody(): BrokenBody | undefined {
    return this.#brokenBody;
  }

  /** The names of the conversation in the reply, which the next request repeats. */
  get carried(): Carried {
    return this.body ? { session: this.body.session } : this.#carried;
  }

  /** What the reply asks in words, where the next task is the answer. */
  get asks(): string | undefined {
    return this.#asks;
  }

  /** The requests for approval in a response that is over. */
  get approvals(): readonly ApprovalRequest[] {
    return findApprovals(this.#response?.whole);
  }

  /** The outcome of the reply so far. */
  get outcome(): Outcome {
    if (this.body) return this.body.outcome;
    if (this.#last?.kind !== 'error') return { kind: 'result' };
    return toErrorOutcome(this.#protocol, this.#last, this.#response?.endWord);
  }

  /** Why the reply is unfinished although all of its text arrived: the agent says so, or its end is missing. */
  get unfinished(): UnfinishedReply | undefined {
    if (this.isTooLarge) return TOO_MANY_VALUES;
    const own = this.#response?.unfinished;
    if (own || this.#isCut) return own ?? CUT_EVENT;
    const message = this.#isOver ? undefined : this.#stream?.unfinished;
    return message === undefined ? undefined : { status: 'incomplete', message };
  }

  /** Characters processed one by one; tests check that this is linear in the length of the reply. */
  get work(): number {
    return this.body?.work ?? this.#events.work;
  }

  #retain(): void {
    const rest = this.#events.takeRest();
    if (rest === '') return;
    this.#isWhole = true;
    if (!this.#source) this.#pieces.push(rest);
  }

  /** The body, if it is no stream. */
  #takeWhole(): ReplyEvent | undefined {
    const parsed = this.#parsed;
    this.#parsed = undefined;
    if (parsed || !this.#isWhole) return parsed;
    const text = this.#source?.() ?? this.#pieces.join('');
    this.#pieces.length = 0;
    return new ReplyEvent(text.replace(/^\u{feff}/u, ''));
  }

  #carry(value: Value): void {
    const { readCarried, readAsked } = this.#protocol.conversations ?? {};
    this.#carried = readCarried?.(value, this.#carried) ?? this.#carried;
    this.#asks = readAsked?.(value) ?? this.#asks;
  }

  #readValue(value: Value): readonly Message[] {
    this.#carry(value);
    if (this.#response) return this.#pushResponse(this.#response, value);
    const { shape } = this.#protocol;
    if (!shape) return [];
    const isPart = this.#keeps === 'outcome' && shape.stream?.isPart?.(value) === true;
    if (shape.stream && (isPart || shape.stream.recognises(value))) {
      this.#stream ??= shape.stream.reader(this.#reading);
      return isPart ? [PART] : this.#stream.push(value);
    }
    const read = shape.read(value, this.#reading);
    return read ? [read] : [];
  }

  #openResponse(): ResponseReader | undefined {
    return openResponse(this.#protocol, this.#reading, this.#keeps, this.#form);
  }

  #pushResponse(response: ResponseReader, value: Value): readonly Message[] {
    if (!response.isNext(value)) return response.push(value);
    const before = response.end();
    this.#response = this.#openResponse();
    return [...before, ...(this.#response?.push(value) ?? [])];
  }

  /** The responses in a body; several if an agent made a request in between. */
  *#responseSteps(body: ReplyEvent, value: Value | undefined): Generator<undefined, readonly Message[]> {
    if (!this.#response) return [];
    const values: Value[] = value ? [value] : [];
    const faults = value
      ? []
      : yield* jsonPieceSteps(body.data, undefined, piece => values.push(piece.value));
    const read: Message[] = [];
    for (const each of values) {
      this.#carry(each);
      const response = this.#openResponse();
      const found = response?.readWhole(each);
      if (!found) return [];
      this.#response = response;
      read.push(found);
    }
    const [first] = faults;
    if (body.wholeValue === undefined) this.#brokenBody = { values: values.length, fault: first?.message };
    this.#lose(faults, '');
    return read;
  }

  *#wholeSteps(body: ReplyEvent): Generator<undefined, readonly Message[]> {
    const one = yield* this.#oneSteps(body);
    if (one.length > 0) return one;
    const isBroken = body.wholeValue === undefined;
    body.release();
    const { protocols, report, tools } = this.#reading;
    const options = { protocols, from: this.#protocol.facts.name, tools, report };
    const { taker, faults } = yield* takeSteps(body.data, options, () => new BodyMessages(this.#keeps));
    const [first] = faults;
    if (isBroken) this.#brokenBody = { values: taker.count, fault: first?.message };
    // An agent that answers only in AICL or AICF does not speak its protocol.
    return taker.isForeign ? [] : taker.messages;
  }

  /** Reads a body that is one value. The value is released before the body is read in any other way. */
  *#oneSteps(body: ReplyEvent): Generator<undefined, readonly Message[]> {
    yield* body.parseSteps();
    this.#onEvent(body);
    yield;
    // Where the caller gets the numbers as they are written, nothing is lost by their size.
    const value = this.#form === 'readable' ? body.exactValue : body.value;
    const responses = yield* this.#responseSteps(body, value);
    if (responses.length > 0) return responses;
    if (body.value) this.#carry(body.value);
    const only = value && this.#readOnly(value);
    this.#isOneMessage = only !== undefined;
    return only ? [only] : [];
  }

  /** Reads a body that is one message of the protocol, which is the usual case and needs no other search. */
  #readOnly(value: Value): Message | undefined {
    const { shape } = this.#protocol;
    if (!shape?.recognises(value) || shape.stream?.recognises(value)) return undefined;
    return shape.read(value, this.#reading);
  }

  /** Reports what was not read exactly at a place of the reply. */
  #lose(faults: Iterable<TextFault>, place: string): void {
    for (const { kind, message: fault, span } of faults)
      this.#reading.report.loseText(kind, place, fault, span);
  }

  #reportUnexpected(): void {
    const { report } = this.#reading;
    const { short } = this.#protocol.facts;
    if (this.#broken > 0)
      report.note(`${this.#broken} of the stream's events are not JSON; they are only in the raw reply`);
    if (this.#foreign > 0)
      report.note(
        `${this.#foreign} of the stream's events are no messages of ${short}; they are only in the raw reply`,
      );
    if (this.#late > 0) report.note(`${countOf(this.#late, 'event')} came after the end of the reply`);
    const { foreignLines } = this.#events;
    if (foreignLines > 0)
      report.note(`${foreignLines} of the stream's lines belong to no event; they are only in the raw reply`);
  }

  #keep(messages: readonly Message[]): readonly Message[] {
    for (const read of messages) {
      this.#last = read;
      this.#isOver ||= read.kind === 'end' || findMessageKind(read.kind)?.role === 'reply';
    }
    return messages;
  }
}

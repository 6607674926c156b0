import { PLAIN_JSON } from '../../core/catalog/conversions.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { ToolTable } from '../../language/tools.ts';
import { fieldNames, type Message } from '../../core/message/message.ts';
import { textIn, type Value } from '../../core/values/value.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { writeAicfMessage } from '../aicf/writer.ts';
import { printAicl } from '../../language/values/aicl-printer.ts';
import { printJson } from '../../language/values/json-printer.ts';
import { areOfOneReply, isOfValue, joinReply } from '../event-stream/joined.ts';
import { Numbering } from './numbering.ts';
import { NO_TOOLS, type MessageTaker, type SourceMessage, type SourceText } from './read-text.ts';
import type { Report } from '../../core/message/report.ts';
import type { ProtocolShape, StreamWriter, Writing } from '../message/shape.ts';
import { ownMethod } from '../message/rest.ts';
import type { MessageProtocols } from '../protocol.ts';
import { shapeOf } from './shapes.ts';
import { TextSink, type Layout, type Places } from '../../language/values/text-layer.ts';
import { writeMessage } from './write-message.ts';
import { WantedMessages, WrittenSpans } from './written-messages.ts';

export interface WriteOptions {
  readonly protocols: MessageProtocols;
  readonly to: string;
  readonly layout: Layout;
  readonly report: Report;
  /** By message, whether it is written; all are if left out. */
  readonly isWanted?: readonly boolean[];
  readonly places?: Places | undefined;
}

/** A reply that is being joined from its parts. */
interface Joining {
  /** The index of the first part among all messages; `reported` is its index among the wanted ones. */
  readonly index: number;
  readonly reported: number;
  readonly parts: Message[];
  readonly writing: Writing;
}

/** Messages written as a text. */
export interface WrittenText {
  /** The text in pieces, so that a caller need not join it; without those that were emitted. */
  readonly pieces: readonly string[];
  readonly spans: WrittenSpans;
}

/** Messages as one text, with the span of each; undefined for one whose text is part of a neighbour's. */
interface WholeText {
  readonly text: string;
  readonly spans: readonly (Span | undefined)[];
}

/** Writes messages in a protocol as one text, which ends with a line break unless it is empty. */
export function writeMessages(source: SourceText, options: WriteOptions): WholeText {
  const { pieces, spans } = runAtOnce(writeSteps(source, options));
  return { text: pieces.join(''), spans: source.messages.map((_, index) => spans.at(index)) };
}

/** The same in slices and in pieces. */
export function* writeSteps(source: SourceText, options: WriteOptions): Generator<undefined, WrittenText> {
  const meter = new SliceMeter();
  const { isWanted } = options;
  const wanted = source.messages
    .filter((_, index) => isWanted?.[index] !== false)
    .map(({ message }) => message);
  const areEvents = isStreamed(options) && wanted.some(isPart) && !wanted.some(isRequest);
  const writer = new TextWriter({
    ...options,
    isWanted: (_, index) => isWanted?.[index] !== false,
    known: { tools: source.tools, areEvents },
  });
  for (const message of source.messages) {
    writer.take(message);
    if (meter.isFull(writer.length)) yield;
  }
  return yield* writer.endSteps(source.tools);
}

export interface TextWriterOptions extends Pick<WriteOptions, 'protocols' | 'to' | 'report' | 'places'> {
  /** `fitting` is compact for several JSON messages, and pretty otherwise. */
  readonly layout: Layout | 'fitting';
  readonly isWanted: (message: SourceMessage, index: number) => boolean;
  /** A text with more characters is dropped, and writing stops. */
  readonly most?: number | undefined;
  /** The findings of an earlier writer of the same messages; with them, no message has to wait. */
  readonly known?: KnownBefore | undefined;
  /** Receives finished pieces of the text, which are then not stored. */
  readonly emit?: ((piece: string) => unknown) | undefined;
}

/** Facts about all messages that are needed before some can be written. */
export interface KnownBefore {
  readonly tools: ToolTable;
  /** True where they are the events of one reply. */
  readonly areEvents: boolean;
}

/** The maximum number of messages that wait for the last one; if there are more, all are read a second time. */
const MAX_WAITING = 10_000;

/**
 * Writes messages one by one, each at once unless its form depends on a later one. So a long text is never
 * stored as messages, which would cost more than writing them.
 */
export class TextWriter implements MessageTaker {
  readonly wanted = new WantedMessages();
  readonly #options: TextWriterOptions;
  /** Undefined for AICF, whose messages are lines of text. */
  readonly #shape: ProtocolShape | undefined;
  readonly #sink: TextSink;
  readonly #numbering = new Numbering();
  readonly #spans = new WrittenSpans();
  /** Messages that cannot be written yet. */
  #waiting: SourceMessage[] = [];
  /** True where messages have to wait for the tools that a later one may declare. */
  #needsTools: boolean;
  /** True once too many messages had to wait: nothing more is written, and the caller must pass them again. */
  hasGivenUp = false;
  #hasParts = false;
  #hasRequests = false;
  #layout: Layout | undefined;
  /** The known tools once all messages are read. */
  #tools = NO_TOOLS;
  #isSse = false;
  #stream: StreamWriter | undefined;
  /** The parts so far of a reply that is to be written whole. */
  #joining: Joining | undefined;
  /** The number of messages that were passed in. */
  given = 0;
  /** The number of messages processed; `#written` counts the wanted ones. */
  #done = 0;
  #written = 0;
  /** Where the first value of the current message begins, after the blank line before it. */
  #start: number | undefined;

  constructor(options: TextWriterOptions) {
    const { protocols, to, layout, places, known, most, emit } = options;
    this.#options = options;
    this.#shape = shapeOf(protocols, to);
    this.#sink = new TextSink(places, most, emit);
    this.#layout = layout === 'fitting' ? (to === 'aicl' ? 'pretty' : undefined) : layout;
    // AICF writes arguments in an order that a later message may declare.
    this.#needsTools = !known && to === 'aicf';
    if (!known) return;
    this.#tools = known.tools;
    this.#isSse = known.areEvents;
  }

  take(source: SourceMessage): void {
    const index = this.given++;
    const { protocol, span } = source;
    if (this.#options.isWanted(source, index)) {
      this.wanted.push({ index, protocol, span });
      this.#hasParts ||= isPart(source.message);
      this.#hasRequests ||= isRequest(source.message);
    }
    if (this.wanted.length > 1) this.#layout ??= 'compact';
    if (this.hasGivenUp || this.isTooLong) return;
    this.#needsTools ||= !this.#options.known && asksForNames(source);
    this.#waiting.push(source);
    if (this.#waiting.length > MAX_WAITING) {
      this.hasGivenUp = true;
      this.#waiting = [];
    }
    if (this.#isHeld || this.#layout === undefined) return;
    for (const waiting of this.#waiting) this.#write(waiting);
    this.#waiting = [];
  }

  /** True while messages have to wait: without a request, only all of them tell if they are the events of one reply. */
  get #isHeld(): boolean {
    const mayBeEvents = !this.#options.known && isStreamed(this.#options) && !this.#hasRequests;
    return this.#needsTools || mayBeEvents;
  }

  /** True for a text that was dropped because it exceeds `most`. */
  get isTooLong(): boolean {
    return this.#sink.isTooLong;
  }

  /** The report of writing. */
  get report(): Report {
    return this.#options.report;
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#sink.length;
  }

  /** Writes the messages that had to wait, with the tools that all of them declare. */
  *endSteps(tools: ToolTable): Generator<undefined, WrittenText> {
    const meter = new SliceMeter();
    this.#tools = tools;
    this.#layout ??= 'pretty';
    this.#isSse = this.#options.known?.areEvents ?? this.areEvents;
    const waiting = this.#waiting.reverse();
    // Popping releases each message once it is written.
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      this.#write(next);
      if (meter.isFull(this.length)) yield;
    }
    this.#endStream(this.#done - 1);
    this.#writeJoined();
    return { pieces: this.#sink.pieces, spans: this.#spans };
  }

  /**
   * True where the messages are the body of one reply; a file with requests is none, and has one line for
   * each message.
   */
  get areEvents(): boolean {
    return isStreamed(this.#options) && this.#hasParts && !this.#hasRequests;
  }

  #write({ message, protocol, tools = this.#tools }: SourceMessage): void {
    const { protocols, to, report } = this.#options;
    const index = this.#done++;
    const isWanted = this.wanted.indexAt(this.#written) === index;
    report.begin(isWanted ? this.#written++ : undefined);
    const writing = {
      report,
      protocols,
      // A reader of AICF sees the tools of all agents; in other protocols only the agent's own tools give names.
      tools: to === 'aicf' ? this.#tools : tools,
      id: this.#numbering.next(message),
      from: protocol,
    };
    if (!isWanted || this.isTooLong) return;
    if (message.fields.rest) noteMethod(message, this.#options);
    if (this.#shape) return this.#writeShaped(this.#shape, message, writing, index);
    // Chunks of AICF are texts.
    if (isOfValue(message) || (this.#joining && (isPart(message) || message.kind === 'error')))
      return this.#join(message, writing, index);
    this.#writeJoined();
    this.#writeAlone(message, writing, index);
  }

  #writeShaped(shape: ProtocolShape, message: Message, writing: Writing, index: number): void {
    const isOfStream = isPart(message) && shape.hasPart?.(message) !== true;
    if (!shape.stream?.writer) {
      if (isOfStream || (this.#joining && message.kind === 'error'))
        return this.#join(message, writing, index);
      this.#writeJoined();
      return this.#writeAlone(message, writing, index);
    }
    if (!isOfStream && !(this.#stream && message.kind === 'error')) {
      this.#endStream(index - 1);
      return this.#writeAlone(message, writing, index);
    }
    this.#stream ??= shape.stream.writer(writing);
    const start = this.#begin();
    for (const value of this.#stream.push(message, writing)) this.#print(value);
    this.#end(index, start);
    if (message.kind !== 'chunk') this.#endStream(index);
  }

  #writeAlone(message: Message, writing: Writing, index: number): void {
    const start = this.#begin();
    if (this.#shape) this.#print(this.#valueOf(message, writing));
    else writeAicfMessage(message, writing, this.#sink);
    this.#end(index, start);
  }

  /** Adds a part of a reply; the last part writes the whole reply. */
  #join(message: Message, writing: Writing, index: number): void {
    const [before] = this.#joining?.parts ?? [];
    if (before && !areOfOneReply(before, message)) this.#writeJoined();
    this.#joining ??= { index, reported: this.#written - 1, parts: [], writing };
    this.#joining.parts.push(message);
    if (message.kind !== 'chunk') this.#writeJoined();
  }

  /** Writes the reply that the parts so far make, at the position of the first part. */
  #writeJoined(): void {
    const joining = this.#joining;
    this.#joining = undefined;
    const { report } = this.#options;
    if (!joining) return;
    report.begin(joining.reported);
    const reply = joinReply(joining.parts, report);
    this.#writeAlone(reply, joining.writing, joining.index);
  }

  #valueOf(message: Message, writing: Writing): Value {
    const { to } = this.#options;
    const { data } = message.fields;
    const isBare = message.kind === 'value' && data && fieldNames(message).length === 1;
    const isOurs = to === 'aicl' || to === PLAIN_JSON.name;
    return isBare && isOurs && !this.#shape?.recognises(data) ? data : writeMessage(to, message, writing);
  }

  /** Ends a stream; what it still writes belongs to its last part. */
  #endStream(index: number): void {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream) return;
    const start = this.#begin();
    for (const value of stream.end()) this.#print(value);
    this.#end(index, start);
  }

  /** Begins to write a message; returns its start. */
  #begin(): number {
    this.#start = undefined;
    return this.#sink.length;
  }

  /** Records the span of a message written since `start`. */
  #end(index: number, start: number): void {
    const end = this.#sink.length;
    if (end === start) return;
    this.#spans.set(index, { start: this.#spans.at(index)?.start ?? this.#start ?? start, end });
  }

  #print(value: Value): void {
    const { to, report } = this.#options;
    const layout = this.#layout ?? 'pretty';
    const sink = this.#sink;
    if (this.#isSse) {
      sink.write('data: ');
      printJson(value, sink, 'compact', 0, report);
      sink.write('\n\n');
      return;
    }
    if (sink.length > 0 && layout === 'pretty') sink.write('\n');
    this.#start ??= sink.length;
    if (to === 'aicl') printAicl(value, sink, layout, report);
    else printJson(value, sink, layout, 0, report);
    sink.write('\n');
  }
}

/** Notes that a method of another protocol is written as a call of a tool. */
function noteMethod({ kind, fields }: Message, { protocols, to, report }: TextWriterOptions): void {
  const tool = textIn(fields.tool);
  if (kind !== 'call' || tool === undefined || to === PLAIN_JSON.name) return;
  for (const { name, short } of protocols.formats)
    if (name !== to && ownMethod({ fields }, name) === tool)
      report.note(
        `'${tool}' is a method of ${short} and no tool; it is written as a call of a tool by that name`,
      );
}

/** True for a protocol that streams its parts as events. */
function isStreamed({ protocols, to }: Pick<WriteOptions, 'protocols' | 'to'>): boolean {
  return protocols.format(to)?.stream === 'sse';
}

/**
 * True for a call with positional arguments that need the names of a tool, while the agent's tools are not
 * yet known.
 */
function asksForNames({ message: { kind, fields }, tools }: SourceMessage): boolean {
  return kind === 'call' && fields.arguments?.kind === 'list' && !tools;
}

function isRequest({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'request';
}

function isPart({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'part';
}

import { CONVERSIONS, findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { ToolTable } from '../../language/tools.ts';
import { fieldNames, type Message } from '../../core/message/message.ts';
import { textIn, type Value } from '../../core/values/value.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { writeAicfMessage } from '../aicf/writer.ts';
import { printAicl } from '../../language/values/aicl-printer.ts';
import { printJson } from '../../language/values/json-printer.ts';
import { areOfOneReply, joinReply } from '../event-stream/joined.ts';
import { Numbering } from './numbering.ts';
import { NO_TOOLS, type MessageTaker, type SourceMessage, type SourceText } from './read-text.ts';
import type { Report } from '../../core/message/report.ts';
import type { StreamWriter, Writing } from '../message/shape.ts';
import { ownMethod } from '../message/rest.ts';
import { SHAPES, type ShapedName } from './shapes.ts';
import { writeSseEvent } from '../../language/values/sse.ts';
import { TextSink, type Layout, type Places } from '../../language/values/text-layer.ts';
import { writeMessage } from './write-message.ts';
import { WantedMessages, WrittenSpans } from './written-messages.ts';

export interface WriteOptions {
  readonly to: ConversionName;
  readonly layout: Layout;
  readonly report: Report;
  /** Of each message whether it is written; all are if left out. */
  readonly isWanted?: readonly boolean[];
  readonly places?: Places | undefined;
}

/** A reply that is being joined from its parts. */
interface Joining {
  /** The first part among all messages, and among those that are wanted. */
  readonly index: number;
  readonly told: number;
  readonly parts: Message[];
  readonly writing: Writing;
}

/** Messages as a text. */
export interface WrittenText {
  /** The text in parts: nobody who writes it on needs it whole. */
  readonly pieces: readonly string[];
  readonly spans: WrittenSpans;
}

/** Messages as one text, and where each stands; undefined for one that a neighbour says as well. */
interface WholeText {
  readonly text: string;
  readonly spans: readonly (Span | undefined)[];
}

/** Writes messages in a protocol as one text. A line break ends the text where there is any. */
export function writeMessages(source: SourceText, options: WriteOptions): WholeText {
  const { pieces, spans } = runAtOnce(writeSteps(source, options));
  return { text: pieces.join(''), spans: source.messages.map((_, index) => spans.at(index)) };
}

/** The same in slices and in parts. */
export function* writeSteps(source: SourceText, options: WriteOptions): Generator<undefined, WrittenText> {
  const meter = new SliceMeter();
  const { isWanted } = options;
  const wanted = source.messages
    .filter((_, index) => isWanted?.[index] !== false)
    .map(({ message }) => message);
  const areEvents = isStreamed(options.to) && wanted.some(isPart) && !wanted.some(isRequest);
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

export interface TextWriterOptions extends Pick<WriteOptions, 'to' | 'report' | 'places'> {
  /** `fitting` is compact for several messages of JSON, and pretty else. */
  readonly layout: Layout | 'fitting';
  readonly isWanted: (message: SourceMessage, index: number) => boolean;
  /** A text of more characters is dropped, and not written further. */
  readonly most?: number | undefined;
  /** What an earlier writer of the same messages found out: nothing has to wait then. */
  readonly known?: KnownBefore | undefined;
}

/** What has to be known of all messages before some can be written. */
export interface KnownBefore {
  readonly tools: ToolTable;
  /** True where they are the events of one reply. */
  readonly areEvents: boolean;
}

/** So many messages wait for the last one; where there are more, all are read a second time. */
const MOST_WAITING = 10_000;

/**
 * Writes messages one by one, each as soon as it is given if nothing that follows decides on how: a long text is then
 * never held as messages, which costs more than writing them.
 */
export class TextWriter implements MessageTaker {
  readonly wanted = new WantedMessages();
  readonly #options: TextWriterOptions;
  readonly #sink: TextSink;
  readonly #numbering = new Numbering();
  readonly #spans = new WrittenSpans();
  /** Messages that cannot be written yet. */
  #waiting: SourceMessage[] = [];
  /** True where the messages have to wait for the last one. */
  #isHeld: boolean;
  /** True once more would have had to wait than can be: nothing is written, and the messages are wanted again. */
  hasGivenUp = false;
  #hasParts = false;
  #hasRequests = false;
  #layout: Layout | undefined;
  /** What is known of tools in the end. */
  #tools = NO_TOOLS;
  #isSse = false;
  #stream: StreamWriter | undefined;
  /** The parts so far of a reply that is to be written whole. */
  #joining: Joining | undefined;
  /** How many messages were given. */
  given = 0;
  /** How many messages were done, and how many of them were wanted. */
  #done = 0;
  #written = 0;
  /** Where the first value of what is being written begins, behind the blank line before it. */
  #start: number | undefined;

  constructor(options: TextWriterOptions) {
    const { to, layout, places, known, most } = options;
    this.#options = options;
    this.#sink = new TextSink(places, most);
    this.#layout = layout === 'fitting' ? (to === 'aicl' ? 'pretty' : undefined) : layout;
    // AICF gives arguments in an order that may be declared further on; whether messages are events, all of them say.
    this.#isHeld = !known && (to === 'aicf' || isStreamed(to));
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
    this.#isHeld ||= !this.#options.known && asksForNames(source);
    this.#waiting.push(source);
    if (this.#waiting.length > MOST_WAITING) {
      this.hasGivenUp = true;
      this.#waiting = [];
    }
    if (this.#isHeld || this.#layout === undefined) return;
    for (const waiting of this.#waiting) this.#write(waiting);
    this.#waiting = [];
  }

  /** True for a text that was dropped, for it has more characters than it may. */
  get isTooLong(): boolean {
    return this.#sink.isTooLong;
  }

  /** What is told of the writing. */
  get report(): Report {
    return this.#options.report;
  }

  /** Characters so far. */
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
    // Each is let go once it is written.
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      this.#write(next);
      if (meter.isFull(this.length)) yield;
    }
    this.#endStream(this.#done - 1);
    this.#writeJoined();
    return { pieces: this.#sink.pieces, spans: this.#spans };
  }

  /** True for the body of a reply: a file that holds requests as well is none, and has a line each. */
  get areEvents(): boolean {
    return isStreamed(this.#options.to) && this.#hasParts && !this.#hasRequests;
  }

  #write({ message, protocol, tools = this.#tools }: SourceMessage): void {
    const { to, report } = this.#options;
    const index = this.#done++;
    const isWanted = this.wanted.indexAt(this.#written) === index;
    report.begin(isWanted ? this.#written++ : undefined);
    const writing = {
      report,
      // Who reads AICF again finds the tools of all agents; names are taken from the agent's own alone.
      tools: to === 'aicf' ? this.#tools : tools,
      id: this.#numbering.next(message),
      from: protocol,
    };
    if (!isWanted || this.isTooLong) return;
    if (message.fields.rest) noteMethod(message, to, report);
    if (to !== 'aicf') return this.#writeShaped(to, message, writing, index);
    const start = this.#begin();
    writeAicfMessage(message, writing, this.#sink);
    this.#end(index, start);
  }

  #writeShaped(to: ShapedName, message: Message, writing: Writing, index: number): void {
    const shape = SHAPES[to];
    const isOfStream = isPart(message) && shape.hasPart?.(message) !== true;
    if (!shape.stream?.writer) {
      if (isOfStream || (this.#joining && message.kind === 'error'))
        return this.#join(message, writing, index);
      this.#writeJoined();
      return this.#writeAlone(to, message, writing, index);
    }
    if (!isOfStream && !(this.#stream && message.kind === 'error')) {
      this.#endStream(index - 1);
      return this.#writeAlone(to, message, writing, index);
    }
    this.#stream ??= shape.stream.writer(writing);
    const start = this.#begin();
    for (const value of this.#stream.push(message, writing)) this.#print(value);
    this.#end(index, start);
    if (message.kind !== 'chunk') this.#endStream(index);
  }

  #writeAlone(to: ShapedName, message: Message, writing: Writing, index: number): void {
    const start = this.#begin();
    this.#print(this.#valueOf(to, message, writing));
    this.#end(index, start);
  }

  /** Takes a part of a reply; the last one writes all of it. */
  #join(message: Message, writing: Writing, index: number): void {
    const [before] = this.#joining?.parts ?? [];
    if (before && !areOfOneReply(before, message)) this.#writeJoined();
    this.#joining ??= { index, told: this.#written - 1, parts: [], writing };
    this.#joining.parts.push(message);
    if (message.kind !== 'chunk') this.#writeJoined();
  }

  /** Writes the reply that the parts so far amount to, where the first of them stands. */
  #writeJoined(): void {
    const joining = this.#joining;
    this.#joining = undefined;
    const { to, report } = this.#options;
    if (!joining || to === 'aicf') return;
    report.begin(joining.told);
    const reply = joinReply(joining.parts, report);
    this.#writeAlone(to, reply, joining.writing, joining.index);
  }

  #valueOf(to: ShapedName, message: Message, writing: Writing): Value {
    const { data } = message.fields;
    const isBare = message.kind === 'value' && data && fieldNames(message).length === 1;
    const isOurs = to === 'aicl' || to === 'json';
    return isBare && isOurs && !SHAPES[to].recognises(data) ? data : writeMessage(to, message, writing);
  }

  /** What a stream still had to say belongs to its last part. */
  #endStream(index: number): void {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream) return;
    const start = this.#begin();
    for (const value of stream.end()) this.#print(value);
    this.#end(index, start);
  }

  /** Begins to write something of a message; answers where. */
  #begin(): number {
    this.#start = undefined;
    return this.#sink.length;
  }

  /** Keeps where what was written of a message since `start` stands. */
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
      writeSseEvent(sink, value, report);
      return;
    }
    if (sink.length > 0 && layout === 'pretty') sink.write('\n');
    this.#start ??= sink.length;
    if (to === 'aicl') printAicl(value, sink, layout, report);
    else printJson(value, sink, layout, 0, report);
    sink.write('\n');
  }
}

/** Says of a method that is no call of a tool where it came from what other protocols make of it. */
function noteMethod({ kind, fields }: Message, to: ConversionName, report: Report): void {
  const tool = textIn(fields.tool);
  if (kind !== 'call' || tool === undefined || to === 'json') return;
  for (const { name, short } of CONVERSIONS)
    if (name !== to && ownMethod({ fields }, name) === tool)
      report.note(
        `'${tool}' is a method of ${short} and no tool; it is written as a call of a tool by that name`,
      );
}

/** True for a protocol whose parts are events. */
function isStreamed(to: ConversionName): boolean {
  return findConversion(to)?.stream === 'sse';
}

/** True for a call whose arguments get the names that a tool declares, where nothing says yet which tools there are. */
function asksForNames({ message: { kind, fields }, tools }: SourceMessage): boolean {
  return kind === 'call' && fields.arguments?.kind === 'list' && !tools;
}

function isRequest({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'request';
}

function isPart({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'part';
}

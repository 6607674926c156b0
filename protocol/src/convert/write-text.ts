import { CONVERSIONS, findConversion, type ConversionName } from '../catalog/conversions.ts';
import { findMessageKind } from '../catalog/message-kinds.ts';
import { fieldNames, type Message } from '../message/message.ts';
import { findEntry, textIn, type Value } from '../message/value.ts';
import { runAtOnce, SliceMeter } from '../text/slices.ts';
import type { Span } from '../text/span.ts';
import { writeAicfMessage } from './aicf/writer.ts';
import { printAicl } from './text/aicl-printer.ts';
import { printJson } from './text/json-printer.ts';
import { Numbering } from './numbering.ts';
import type { SourceMessage, SourceText } from './read-text.ts';
import type { Report } from './report.ts';
import type { StreamWriter, Writing } from './shape.ts';
import { SHAPES, type ShapedName } from './shapes.ts';
import { writeSseEvent } from './text/sse.ts';
import { TextSink, type Layout, type Places } from './text/text-layer.ts';

export interface WriteOptions {
  readonly to: ConversionName;
  readonly layout: Layout;
  readonly report: Report;
  /** Of each message whether it is written; all are if left out. */
  readonly isWanted?: readonly boolean[];
  readonly places?: Places | undefined;
}

/** Messages as a text. */
export interface WrittenText {
  readonly text: string;
  /** Where each message stands; undefined for one that a neighbour says as well. */
  readonly spans: readonly (Span | undefined)[];
}

/** Writes messages in a protocol. A line break ends the text where there is any. */
export function writeMessages(source: SourceText, options: WriteOptions): WrittenText {
  return runAtOnce(writeSteps(source, options));
}

/** The same in slices. */
export function* writeSteps(source: SourceText, options: WriteOptions): Generator<undefined, WrittenText> {
  const meter = new SliceMeter();
  const writer = new TextWriter(source, options);
  let index = 0;
  for (const message of source.messages) {
    writer.write(message, index++);
    if (meter.isFull(writer.length)) yield;
  }
  return writer.end();
}

class TextWriter {
  readonly #source: SourceText;
  readonly #options: WriteOptions;
  readonly #sink: TextSink;
  readonly #numbering = new Numbering();
  readonly #spans: (Span | undefined)[] = [];
  readonly #isSse: boolean;
  #stream: StreamWriter | undefined;
  #hasParts = false;
  /** How many messages were written. */
  #wanted = 0;
  /** Where the first value of what is being written begins, behind the blank line before it. */
  #start: number | undefined;

  constructor(source: SourceText, options: WriteOptions) {
    this.#source = source;
    this.#options = options;
    this.#sink = new TextSink(options.places);
    const wanted = source.messages.filter((_, index) => options.isWanted?.[index] !== false);
    // Events are the body of a reply: a file that holds requests as well is none, and has a line each.
    this.#isSse =
      findConversion(options.to)?.stream === 'sse' &&
      wanted.some(({ message }) => isPart(message)) &&
      !wanted.some(({ message }) => isRequest(message));
  }

  write({ message, tools }: SourceMessage, index: number): void {
    const { to, report } = this.#options;
    const isWanted = this.#options.isWanted?.[index] !== false;
    report.begin(isWanted ? this.#wanted++ : undefined);
    const isChunk = message.kind === 'chunk' && !message.fields.event;
    const writing = {
      report,
      // Who reads AICF again finds the tools of all agents; names are taken from the agent's own alone.
      tools: to === 'aicf' ? this.#source.tools : (tools ?? this.#source.tools),
      id: this.#numbering.next(message),
      isFirstPart: isChunk && !this.#hasParts,
    };
    this.#hasParts = isChunk || (this.#hasParts && message.kind === 'chunk');
    if (!isWanted) return;
    if (message.fields.rest) noteMethod(message, to, report);
    if (to === 'aicf') this.#record(index, () => writeAicfMessage(message, writing, this.#sink));
    else this.#writeShaped(to, message, writing, index);
  }

  /** Characters so far. */
  get length(): number {
    return this.#sink.length;
  }

  end(): WrittenText {
    const last = this.#source.messages.length - 1;
    this.#endStream(last);
    return { text: this.#sink.toString(), spans: this.#spans };
  }

  #writeShaped(to: ShapedName, message: Message, writing: Writing, index: number): void {
    const { stream } = SHAPES[to];
    const belongs = stream && (isPart(message) || (this.#stream && message.kind === 'error'));
    if (!belongs) {
      this.#endStream(index - 1);
      this.#record(index, () => this.#print(this.#valueOf(to, message, writing)));
      return;
    }
    this.#stream ??= stream.writer(writing);
    const writer = this.#stream;
    this.#record(index, () => writer.push(message).forEach(value => this.#print(value)));
    if (message.kind !== 'chunk') this.#endStream(index);
  }

  #valueOf(to: ShapedName, message: Message, writing: Writing): Value {
    const { data } = message.fields;
    const isBare = message.kind === 'value' && data && fieldNames(message).length === 1;
    if (!isBare) return SHAPES[to].write(message, writing);
    if ((to === 'aicl' || to === 'json') && !SHAPES[to].recognises(data)) return data;
    writing.report.note('A value without a message around it is carried in one; no agent understands that');
    return SHAPES[to].write(message, writing);
  }

  /** What a stream still had to say belongs to its last part. */
  #endStream(index: number): void {
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream) this.#record(index, () => stream.end().forEach(value => this.#print(value)));
  }

  /** Writes something of a message and keeps where. */
  #record(index: number, write: () => void): void {
    const start = this.#sink.length;
    this.#start = undefined;
    write();
    const end = this.#sink.length;
    const before = this.#spans[index];
    this.#spans[index] = end === start ? before : { start: before?.start ?? this.#start ?? start, end };
  }

  #print(value: Value): void {
    const { to, layout, report } = this.#options;
    const sink = this.#sink;
    if (this.#isSse) {
      writeSseEvent(sink, to === 'responses' ? eventName(value) : undefined, value, report);
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
    if (name !== to && textIn(findEntry(findEntry(fields.rest, name), 'method')) === tool)
      report.note(
        `'${tool}' is a method of ${short} and no tool; it is written as a call of a tool by that name`,
      );
}

function isRequest({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'request';
}

function isPart({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'part';
}

/** The events of Responses are named by their type. */
function eventName(value: Value): string | undefined {
  const type = value.kind === 'dict' ? value.entries.find(({ key }) => key === 'type')?.value : undefined;
  return type?.kind === 'text' ? type.text : undefined;
}

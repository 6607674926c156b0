import { PLAIN_JSON } from '../../core/catalog/conversions.ts';
import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import { fieldNames, type Message } from '../../core/message/message.ts';
import type { Report } from '../../core/message/report.ts';
import { textIn, type Value } from '../../core/values/value.ts';
import { printAicl } from '../../language/values/aicl-printer.ts';
import { printJson } from '../../language/values/json-printer.ts';
import { TextSink, type Layout, type Places } from '../../language/values/text-layer.ts';
import { areOfOneReply, isOfValue, isOnePiece, joinReply, pieceOf } from '../event-stream/joined.ts';
import type { LineShape, ProtocolShape, StreamWriter, Writing } from '../message/shape.ts';
import { foreignReasons } from '../message/foreign-values.ts';
import { ownMethod } from '../message/rest.ts';
import type { MessageProtocols } from '../protocol.ts';
import type { TextLayerName } from '../recognise/detect.ts';
import { layerOf, shapeOf } from './shapes.ts';
import { writeMessage } from './write-message.ts';
import { WrittenSpans } from './written-messages.ts';

/** How messages are printed. */
export interface PrinterOptions {
  readonly protocols: MessageProtocols;
  readonly to: string;
  readonly report: Report;
  readonly places?: Places | undefined;
  /** A text with more characters is dropped, and writing stops. */
  readonly most?: number | undefined;
  /** Receives finished pieces of the text, which are then not stored. */
  readonly emit?: ((piece: string) => unknown) | undefined;
}

/** A message to be printed. */
interface PrintedMessage {
  readonly message: Message;
  /** The index among all messages; `reported` is the index among the wanted ones. */
  readonly index: number;
  readonly reported: number;
  readonly writing: Writing;
}

/** The parts of a reply that may be written as a whole. */
type Joining = [PrintedMessage, ...PrintedMessage[]];

/**
 * Prints messages in a protocol one after another, with the span of each. Streams the parts of a reply where the
 * protocol has a stream, and joins them to a whole reply elsewhere.
 */
export class MessagePrinter {
  readonly #options: PrinterOptions;
  /** Undefined for a protocol whose messages are lines of text. */
  readonly #shape: ProtocolShape | undefined;
  readonly #lines: LineShape | undefined;
  readonly #language: TextLayerName;
  readonly #sink: TextSink;
  /** The span of each message. */
  readonly spans = new WrittenSpans();
  /** The layout of values; `pretty` while it is undefined. */
  layout: Layout | undefined;
  /** True where values are printed as server-sent events. */
  areEvents = false;
  #stream: StreamWriter | undefined;
  /** The parts so far of a reply that is to be written whole. */
  #joining: Joining | undefined;
  /** Where the first value of the current message begins, after the blank line before it. */
  #start: number | undefined;

  constructor(options: PrinterOptions) {
    const { protocols, to, places, most, emit } = options;
    this.#options = options;
    this.#shape = shapeOf(protocols, to);
    this.#lines = protocols.find(to)?.lines;
    this.#language = layerOf(protocols, to);
    this.#sink = new TextSink(places, most, emit);
  }

  /** True for a text that was dropped because it exceeds `most`. */
  get isTooLong(): boolean {
    return this.#sink.isTooLong;
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#sink.length;
  }

  /** The text in pieces, without those that were emitted. */
  get pieces(): readonly string[] {
    return this.#sink.pieces;
  }

  /** Prints a message, or a part of a reply, which may wait for the other parts. */
  print(printed: PrintedMessage): void {
    const { message, writing, index } = printed;
    if (message.fields.rest) noteMethod(message, this.#options);
    noteForeignValues(message, this.#options);
    if (this.#shape) return this.#writeShaped(this.#shape, printed);
    // Chunks of AICF are texts of one piece: others may follow those of a named stream or piece, which wait for them.
    const mayDiffer =
      message.kind === 'chunk' && (message.fields.stream !== undefined || pieceOf(message) !== '');
    if (mayDiffer || isOfValue(message) || (this.#joining && (isPart(message) || message.kind === 'error')))
      return this.#join(printed);
    this.#writeJoined();
    this.#writeAlone(message, writing, index);
  }

  /** Ends what was printed last; `index` is that of the last message. */
  end(index: number): void {
    this.#endStream(index);
    this.#writeJoined();
  }

  #writeShaped(shape: ProtocolShape, printed: PrintedMessage): void {
    const { message, writing, index } = printed;
    const isOfStream = isPart(message) && shape.hasPart?.(message) !== true;
    if (!shape.stream?.writer) {
      if (isOfStream || (this.#joining && message.kind === 'error')) return this.#join(printed);
      this.#writeJoined();
      return this.#writeAlone(message, writing, index);
    }
    if (!isOfStream && !(this.#stream && message.kind === 'error')) {
      this.#endStream(index - 1);
      return this.#writeAlone(message, writing, index);
    }
    this.#stream ??= shape.stream.writer(writing);
    const start = this.#beginMessage();
    for (const value of this.#stream.push(message, writing)) this.#printValue(value);
    this.#endMessage(index, start);
    if (message.kind !== 'chunk') this.#endStream(index);
  }

  #writeAlone(message: Message, writing: Writing, index: number): void {
    const start = this.#beginMessage();
    if (this.#lines) this.#lines.write(message, writing, this.#sink);
    else this.#printValue(this.#valueOf(message, writing));
    this.#endMessage(index, start);
  }

  /** Adds a part of a reply; the last part writes the whole reply. */
  #join(printed: PrintedMessage): void {
    const before = this.#joining?.[0].message;
    if (before && !areOfOneReply(before, printed.message)) this.#writeJoined();
    if (this.#joining) this.#joining.push(printed);
    else this.#joining = [printed];
    if (printed.message.kind !== 'chunk') this.#writeJoined();
  }

  /** Writes the reply that the parts so far make, at the position of the first part; texts of AICF as its stream. */
  #writeJoined(): void {
    const joining = this.#joining;
    this.#joining = undefined;
    const { report } = this.#options;
    if (!joining) return;
    const messages = joining.map(({ message }) => message);
    if (!this.#shape && isOnePiece(messages) && !messages.some(isOfValue)) {
      for (const { message, writing, index, reported } of joining) {
        report.begin(reported);
        this.#writeAlone(message, writing, index);
      }
      return;
    }
    const [{ reported, writing, index }] = joining;
    report.begin(reported);
    // Lines have a place for the content before an error.
    const last = joining.at(-1);
    const error = !this.#shape && joining.length > 1 && last?.message.kind === 'error' ? last : undefined;
    this.#writeAlone(joinReply(error ? messages.slice(0, -1) : messages, report), writing, index);
    if (!error) return;
    report.begin(error.reported);
    this.#writeAlone(error.message, error.writing, error.index);
  }

  #valueOf(message: Message, writing: Writing): Value {
    const { to } = this.#options;
    const { data } = message.fields;
    const isBare = message.kind === 'value' && data && fieldNames(message).length === 1;
    const isOurs = this.#language === 'aicl' || to === PLAIN_JSON.name;
    return isBare && isOurs && !this.#shape?.recognises(data) ? data : writeMessage(to, message, writing);
  }

  /** Ends a stream; what it still writes belongs to its last part. */
  #endStream(index: number): void {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream) return;
    const start = this.#beginMessage();
    for (const value of stream.end()) this.#printValue(value);
    this.#endMessage(index, start);
  }

  /** Agents read integers of any size as JSON has them; only our own JSON protects those that readers round. */
  get #numbers(): 'notation' | 'digits' {
    return this.#options.to === PLAIN_JSON.name ? 'notation' : 'digits';
  }

  /** Begins to write a message; returns its start. */
  #beginMessage(): number {
    this.#start = undefined;
    return this.#sink.length;
  }

  /** Records the span of a message written since `start`. */
  #endMessage(index: number, start: number): void {
    const end = this.#sink.length;
    if (end === start) return;
    this.spans.set(index, { start: this.spans.startOf(index) ?? this.#start ?? start, end });
  }

  #printValue(value: Value): void {
    const { report } = this.#options;
    const layout = this.layout ?? 'pretty';
    const sink = this.#sink;
    if (this.areEvents) {
      sink.write('data: ');
      printJson(value, sink, 'compact', 0, report, this.#numbers);
      sink.write('\n\n');
      return;
    }
    if (sink.length > 0 && layout === 'pretty') sink.write('\n');
    this.#start ??= sink.length;
    if (this.#language === 'aicl') printAicl(value, sink, layout, report);
    else printJson(value, sink, layout, 0, report, this.#numbers);
    sink.write('\n');
  }
}

/** Notes that a method of another protocol is written as a call of a tool. */
function noteMethod({ kind, fields }: Message, { protocols, to, report }: PrinterOptions): void {
  const tool = textIn(fields.tool);
  if (kind !== 'call' || tool === undefined || to === PLAIN_JSON.name) return;
  for (const { name, short } of protocols.formats)
    if (name !== to && ownMethod({ fields }, name) === tool)
      report.note(
        `'${tool}' is a method of ${short} and no tool; it is written as a call of a tool by that name`,
      );
}

/** Notes values that the protocol does not have and that its readers get in the notation of docs/json-notation.md. */
function noteForeignValues(message: Message, { protocols, to, report }: PrinterOptions): void {
  if (to === PLAIN_JSON.name) return;
  const language = layerOf(protocols, to);
  for (const reason of foreignReasons(message, { language }, 'reader')) report.note(reason);
}

/** True for a part of a reply. */
export function isPart({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'part';
}

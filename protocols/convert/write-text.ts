import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import { NO_TOOLS, type ToolTable } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { isPart, MessagePrinter, type PrinterOptions } from './message-printer.ts';
import { Numbering } from './numbering.ts';
import { layerOf } from './shapes.ts';
import type { MessageTaker, SourceMessage, SourceText } from './source-message.ts';
import type { TextLayerName } from '../recognise/detect.ts';
import type { Report } from '../../core/message/report.ts';
import type { MessageProtocols } from '../protocol.ts';
import type { Layout, Places } from '../../language/values/text-layer.ts';
import { WantedMessages, type WrittenSpans } from './written-messages.ts';

export interface WriteOptions {
  readonly protocols: MessageProtocols;
  readonly to: string;
  readonly layout: Layout;
  readonly report: Report;
  /** By message, whether it is written; all are if left out. */
  readonly isWanted?: readonly boolean[];
  readonly places?: Places | undefined;
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

export interface TextWriterOptions extends PrinterOptions {
  /** `fitting` is compact for several JSON messages, and pretty otherwise. */
  readonly layout: Layout | 'fitting';
  readonly isWanted: (message: SourceMessage, index: number) => boolean;
  /** The findings of an earlier writer of the same messages; with them, no message has to wait. */
  readonly known?: KnownBefore | undefined;
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
  readonly #printer: MessagePrinter;
  readonly #language: TextLayerName;
  readonly #numbering = new Numbering();
  /** Messages that cannot be written yet. */
  #waiting: SourceMessage[] = [];
  /** True where messages have to wait for the tools that a later one may declare. */
  #needsTools: boolean;
  /** True once too many messages had to wait: nothing more is written, and the caller must pass them again. */
  hasGivenUp = false;
  #hasParts = false;
  #hasRequests = false;
  /** The known tools once all messages are read. */
  #tools = NO_TOOLS;
  /** The number of messages that were passed in. */
  given = 0;
  /** The number of messages processed; `#written` counts the wanted ones. */
  #done = 0;
  #written = 0;

  constructor(options: TextWriterOptions) {
    const { protocols, to, layout, known } = options;
    this.#options = options;
    this.#printer = new MessagePrinter(options);
    this.#language = layerOf(protocols, to);
    this.#printer.layout = layout === 'fitting' ? (this.#language === 'aicl' ? 'pretty' : undefined) : layout;
    // AICF writes arguments in an order that a later message may declare.
    this.#needsTools = !known && this.#language === 'aicf';
    if (!known) return;
    this.#tools = known.tools;
    this.#printer.areEvents = known.areEvents;
  }

  take(source: SourceMessage): void {
    const index = this.given++;
    const { protocol, span } = source;
    if (this.#options.isWanted(source, index)) {
      this.wanted.push({ index, protocol, span });
      this.#hasParts ||= isPart(source.message);
      this.#hasRequests ||= isRequest(source.message);
    }
    if (this.wanted.length > 1) this.#printer.layout ??= 'compact';
    if (this.hasGivenUp || this.isTooLong) return;
    this.#needsTools ||= !this.#options.known && asksForNames(source);
    if (this.#isHeld || this.#printer.layout === undefined) return this.#wait(source);
    for (const waiting of this.#waiting) this.#write(waiting);
    if (this.#waiting.length > 0) this.#waiting = [];
    this.#write(source);
  }

  #wait(source: SourceMessage): void {
    this.#waiting.push(source);
    if (this.#waiting.length <= MAX_WAITING) return;
    this.hasGivenUp = true;
    this.#waiting = [];
  }

  /** True while messages have to wait: without a request, only all of them show if they are the events of one reply. */
  get #isHeld(): boolean {
    const mayBeEvents = !this.#hasRequests && !this.#options.known && isStreamed(this.#options);
    return this.#needsTools || mayBeEvents;
  }

  /** True for a text that was dropped because it exceeds `most`. */
  get isTooLong(): boolean {
    return this.#printer.isTooLong;
  }

  /** The report of writing. */
  get report(): Report {
    return this.#options.report;
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#printer.length;
  }

  /** Writes the messages that had to wait, with the tools that all of them declare. */
  *endSteps(tools: ToolTable): Generator<undefined, WrittenText> {
    const meter = new SliceMeter();
    this.#tools = tools;
    this.#printer.layout ??= 'pretty';
    this.#printer.areEvents = this.#options.known?.areEvents ?? this.areEvents;
    const waiting = this.#waiting.reverse();
    // Popping releases each message once it is written.
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      this.#write(next);
      if (meter.isFull(this.length)) yield;
    }
    this.#printer.end(this.#done - 1);
    return { pieces: this.#printer.pieces, spans: this.#printer.spans };
  }

  /**
   * True where the messages are the body of one reply; a file with requests is none, and has one line for
   * each message.
   */
  get areEvents(): boolean {
    return isStreamed(this.#options) && this.#hasParts && !this.#hasRequests;
  }

  #write({ message, protocol, tools = this.#tools }: SourceMessage): void {
    const { protocols, report } = this.#options;
    const index = this.#done++;
    const reported = this.#written;
    const isWanted = this.wanted.indexAt(reported) === index;
    if (isWanted) this.#written++;
    report.begin(isWanted ? reported : undefined);
    const writing = {
      report,
      protocols,
      // A reader of AICF sees the tools of all agents; in other protocols only the agent's own tools give names.
      tools: this.#language === 'aicf' ? this.#tools : tools,
      id: this.#numbering.next(message),
      from: protocol,
    };
    if (isWanted && !this.isTooLong) this.#printer.print({ message, index, reported, writing });
  }
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

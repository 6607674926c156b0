import type { ConversionName } from '../../core/catalog/conversions.ts';
import { findConversion } from '../../core/catalog/conversions.ts';
import { joinTables, type ToolTable } from '../../language/tools.ts';
import { message, withoutField, type Message } from '../../core/message/message.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { lineCounter } from '../../core/text/line-count.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { SpanList } from '../../core/text/span-list.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { aicfMessageSteps } from '../aicf/reader.ts';
import { aiclPieceSteps } from '../../language/values/aicl-reader.ts';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import { detectLayer, type TextLayerName } from './detect.ts';
import { splitSegments, type Segment } from './foreign-parts.ts';
import { Numbering } from './numbering.ts';
import { Report } from '../../core/message/report.ts';
import { recognise, SHAPES, type ShapedName } from './shapes.ts';
import type { Reading, StreamReader } from '../message/shape.ts';
import { FaultList } from '../../language/values/fault-list.ts';
import type { AskedPart, Piece, Places } from '../../language/values/text-layer.ts';
import { DeclaredTools } from '../tools/tool-schema.ts';

export interface ReadOptions {
  /** Without it each message is recognised by what it looks like. */
  readonly from?: ConversionName | undefined;
  readonly tools?: ToolTable | undefined;
  readonly report: Report;
  /** Only of messages that touch this span losses and notes are told, and places kept; all if left out. */
  readonly within?: Span | undefined;
  /** Is given the places of values, where there is one. */
  readonly places?: Places | undefined;
}

/** A message of a text. */
export interface SourceMessage {
  readonly message: Message;
  readonly protocol: ConversionName;
  /** Where it stands; of one among several in brackets, all of them. */
  readonly span: Span;
  /** What is known of the tools of the agent that a call is for, where the text names agents. */
  readonly tools?: ToolTable | undefined;
}

/** The messages of a text in order. */
export interface SourceText {
  readonly messages: readonly SourceMessage[];
  /** What is known of tools: what was given, and what the messages declare. */
  readonly tools: ToolTable;
}

/** Nothing is known of tools. */
export const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** Is given the messages of a text one by one, as soon as each is read. */
export interface MessageTaker {
  take(message: SourceMessage): void;
}

/**
 * Reads all messages of a text. What cannot be read is told with its line; where that is a message of another language,
 * it is read as that. Total, and at most three passes.
 */
export function readMessages(text: string, options: ReadOptions): SourceText {
  return runAtOnce(readSteps(text, options));
}

/** The same in slices. */
export function* readSteps(text: string, options: ReadOptions): Generator<undefined, SourceText> {
  const { taker, tools } = yield* takeSteps(text, options, () => new MessageList());
  return { messages: taker.messages, tools };
}

class MessageList implements MessageTaker {
  readonly messages: SourceMessage[] = [];

  take(message: SourceMessage): void {
    this.messages.push(message);
  }
}

/**
 * Gives the messages of a text away as they are read, and answers who took them and the tools that are known in the end. A
 * text that turns out to be of several languages is read again, for a new taker.
 */
export function* takeSteps<Taker extends MessageTaker>(
  text: string,
  options: ReadOptions,
  start: () => Taker,
): Generator<undefined, { readonly taker: Taker; readonly tools: ToolTable }> {
  const layer = detectLayer(text, options.from);
  const wanted = options.from && layerOf(options.from);
  if (wanted && wanted !== layer)
    options.report.note(
      `The text does not look like ${titleOf(options.from)}; it was read as what it looks like`,
    );
  const from = wanted === layer ? options.from : undefined;
  let segments: readonly Segment[] = [{ layer, span: { start: 0, end: text.length } }];
  let taker = start();
  let reader = yield* readSegments(text, segments, { ...options, from }, taker);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const split = splitSegments(text, segments, reader);
    if (!split) break;
    if (pass === 0)
      options.report.note('The text holds messages in several languages; each was read in its own');
    segments = split;
    options.places?.clear();
    taker = start();
    reader = yield* readSegments(text, segments, { ...options, from, tools: reader.tools }, taker);
  }
  options.report.adopt(reader.report);
  const last = reader;
  return {
    taker,
    // They are listed for who asks for them only: a message may declare very many.
    get tools() {
      return last.tools;
    },
  };
}

/** A text has messages in at most three languages, so it is read at most twice more. */
const MOST_PASSES = 2;

function* readSegments(
  text: string,
  segments: readonly Segment[],
  options: ReadOptions,
  taker: MessageTaker,
): Generator<undefined, TextReader> {
  const reader = new TextReader(text, options, taker);
  for (const segment of segments) yield* reader.read(segment);
  reader.tellFaults();
  return reader;
}

function layerOf(name: ConversionName): TextLayerName {
  return findConversion(name)?.language ?? 'json';
}

function titleOf(name: ConversionName | undefined): string {
  return findConversion(name)?.title ?? 'a known protocol';
}

class TextReader {
  readonly #text: string;
  readonly #options: ReadOptions;
  readonly report = new Report();
  readonly #taker: MessageTaker;
  /** Where the messages stand. */
  readonly spans = new SpanList();
  /** The tools that messages declare. */
  readonly #declared = new DeclaredTools();
  /** What could not be read, or was read otherwise than it stands. */
  faults = new FaultList();
  /** How many of the messages somebody asked about. */
  #wanted = 0;
  readonly #reading: Reading;
  #stream: { readonly name: ShapedName; readonly reader: StreamReader; last: Span } | undefined;
  #before: ShapedName | undefined;
  /** Where events stand that may be told of later than they are read. */
  readonly #events = new WeakMap<Value, Span>();

  constructor(text: string, options: ReadOptions, taker: MessageTaker) {
    this.#text = text;
    this.#options = options;
    this.#taker = taker;
    const numbering = new Numbering();
    this.#reading = {
      report: this.report,
      tools: options.tools ?? NO_TOOLS,
      number: read => withoutNumber(read, numbering.next(read)),
    };
  }

  /** Reads a part of the text. */
  *read({ layer, span }: Segment): Generator<undefined, void> {
    const { start } = span;
    const isWhole = start === 0 && span.end === this.#text.length;
    const text = isWhole ? this.#text : this.#text.slice(start, span.end);
    const places: Places | undefined = isWhole ? this.#options.places : this.#options.places && new Map();
    const move = (at: Span): Span => (isWhole ? at : { start: at.start + start, end: at.end + start });
    const asked = this.#asked(start, places);
    const take = (piece: Piece): void => {
      for (const { value, span: at } of this.#unpackBatch(piece, layer, places))
        this.#readPiece({ value, span: move(at) }, layer);
    };
    const faults =
      layer === 'aicf'
        ? yield* aicfMessageSteps(text, this.#reading, asked, found =>
            this.#add(found.message, 'aicf', move(found.span), found.tools),
          )
        : layer === 'aicl'
          ? yield* aiclPieceSteps(text, asked, take)
          : yield* jsonPieceSteps(text, places, take);
    this.#endStream();
    if (!isWhole) this.#addPlaces(places, move);
    if (isWhole) this.faults = faults;
    else for (const fault of faults) this.faults.push({ ...fault, span: move(fault.span) });
  }

  /** What is to be kept of a part of the text that begins at `start`. */
  #asked(start: number, places: Places | undefined): AskedPart {
    const { within } = this.#options;
    const moved = within && { start: within.start - start, end: within.end - start };
    return { places, within: moved, first: this.#wanted };
  }

  #addPlaces(places: Places | undefined, move: (at: Span) => Span): void {
    for (const [value, at] of places ?? []) this.#options.places?.set(value, move(at));
  }

  /** The messages of a list that is all messages, each where it stands; any other value as it is. */
  #unpackBatch(piece: Piece, layer: TextLayerName, places: Places | undefined): readonly Piece[] {
    const members = layer === 'json' ? batchOf(piece.value) : undefined;
    if (!members) return [piece];
    this.report.note(
      `A list of ${members.length} messages was read as ${members.length} messages, one after the other`,
    );
    return members.map(value => ({ value, span: places?.get(value) ?? piece.span }));
  }

  /** What is known of tools when all is read. */
  get tools(): ToolTable {
    return joinTables([this.#reading.tools, this.#declared.table]);
  }

  #readPiece({ value, span }: Piece, layer: TextLayerName): void {
    this.report.begin(this.#isWanted(span) ? this.#wanted : undefined);
    const name = this.#nameOf(value, layer);
    if (this.#stream && (name !== this.#stream.name || !SHAPES[name].stream?.recognises(value)))
      this.#endStream();
    const shape = name && SHAPES[name];
    if (shape?.stream?.recognises(value)) {
      this.#stream ??= { name: name ?? 'json', reader: shape.stream.reader(this.#reading), last: span };
      this.#stream.last = span;
      const { reader, name: protocol } = this.#stream;
      if (reader.eventsOf) this.#events.set(value, span);
      for (const part of reader.push(value)) this.#add(part, protocol, this.#spanOf(reader, part, span));
      return;
    }
    const read = shape?.read(value, this.#reading);
    // Any reply may look like one of plain JSON-RPC, so that says nothing about the next one.
    const saysName = name !== 'json-rpc' || findEntry(value, 'method') !== undefined;
    this.#before = read && name && saysName ? name : this.#before;
    if (read && name) this.#add(read, name, span);
    else
      this.#add(
        this.#reading.number(message('value', { data: value })),
        layer === 'aicl' ? 'aicl' : 'json',
        span,
      );
  }

  /** The protocol that a value is read by; undefined for a value that is no message. */
  #nameOf(value: Value, layer: TextLayerName): ShapedName | undefined {
    const { from } = this.#options;
    const { report } = this;
    if (layer === 'aicl') return 'aicl';
    if (from === undefined || from === 'aicf' || from === 'aicl') return recognise(value, this.#before);
    const wanted = SHAPES[from];
    if (from === 'json' || wanted.recognises(value) || wanted.stream?.recognises(value)) return from;
    const found = recognise(value, from);
    if (found === undefined || found === 'json-rpc') return from;
    // These look alike, so that who names one of them knows better.
    const isAlike = LOOK_ALIKE.has(from) && LOOK_ALIKE.has(found);
    if (isAlike && !SHAPES[found].stream?.recognises(value)) return from;
    if (found !== from)
      report.note(`A message is ${titleOf(found)}, not ${titleOf(from)}; it was read as what it is`);
    return found;
  }

  #endStream(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream) return;
    this.#before = stream.name;
    const { name, reader, last } = stream;
    for (const part of reader.end()) this.#add(part, name, this.#spanOf(reader, part, last));
  }

  /** Where the events of a part stand; `last` is where the last one of the stream so far does. */
  #spanOf(reader: StreamReader, part: Message, last: Span): Span {
    const events = reader.eventsOf?.(part);
    if (!events) return last;
    const { start } = this.#events.get(events.first) ?? last;
    return { start, end: (this.#events.get(events.last) ?? last).end };
  }

  #add(read: Message, protocol: ConversionName, span: Span, tools?: ToolTable): void {
    this.spans.push(span);
    if (this.#isWanted(span)) this.#wanted++;
    this.#declared.add(read);
    this.#taker.take({ message: read, protocol, span, tools });
  }

  /** The index of the first message from an index on that somebody asked about; past the last one where there is none. */
  #nextWanted(from: number): number {
    let index = from;
    for (let span = this.spans.at(index); span && !this.#isWanted(span); span = this.spans.at(index)) index++;
    return index;
  }

  #isWanted(span: Span): boolean {
    const { within } = this.#options;
    return within === undefined || meetsSpan(span, within);
  }

  /** Tells what could not be read, in the order of the text. */
  tellFaults(): void {
    const lineOf = lineCounter(this.#text);
    const { spans } = this;
    // The number of the wanted message, and that of the one after it among all.
    let index = 0;
    let next = this.#nextWanted(this.#nextWanted(0) + 1);
    for (const { kind, message: told, span } of this.faults) {
      if (!this.#isWanted(span)) continue;
      for (; (spans.startOf(next) ?? Infinity) <= span.start; next = this.#nextWanted(next + 1)) index++;
      this.report.begin(index);
      this.report.loseText(kind, `line ${lineOf(span.start)}`, told, span);
    }
  }
}

const LOOK_ALIKE: ReadonlySet<ConversionName> = new Set(['responses', 'agent-api']);

/** The id is left out where it is the one that the message has anyhow. */
function withoutNumber(read: Message, number: number): Message {
  const { id } = read.fields;
  return id?.kind === 'int' && id.int === number ? withoutField(read, 'id') : read;
}

/** The members of a list that are all messages, such as a batch of JSON-RPC or the events of a recorded stream. */
function batchOf(value: Value): readonly Value[] | undefined {
  if (value.kind !== 'list' || value.items.length === 0) return undefined;
  const isMessage = (item: Value): boolean => recognise(item, undefined) !== undefined;
  return value.items.every(isMessage) ? value.items : undefined;
}

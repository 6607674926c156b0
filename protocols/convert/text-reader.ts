import { joinTables, NO_TOOLS, type ToolTable } from '../../language/tools.ts';
import { message, withoutField, type Message } from '../../core/message/message.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { lineCounter } from './line-count.ts';
import { SpanList } from '../../core/text/number-list.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { aiclPieceSteps } from '../../language/values/aicl-reader.ts';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import type { TextLayerName } from '../recognise/detect.ts';
import type { Segment } from './foreign-parts.ts';
import { Numbering } from './numbering.ts';
import { Report } from '../../core/message/report.ts';
import { layerOf, recognise, shapeOf, titleOf } from './shapes.ts';
import type { MessageTaker } from './source-message.ts';
import { PLAIN_JSON } from '../../core/catalog/conversions.ts';
import type { MessageProtocols } from '../protocol.ts';
import type { Reading, StreamReader } from '../message/shape.ts';
import { FaultList } from '../../language/values/fault-list.ts';
import type { PartOptions, Piece, Places } from '../../language/values/text-layer.ts';
import { DeclaredTools } from '../tools/tool-schema.ts';

/** How a text is read into messages. */
export interface ReadOptions {
  readonly protocols: MessageProtocols;
  /** The protocol of the text; without it, each message is recognised. */
  readonly from?: string | undefined;
  readonly tools?: ToolTable | undefined;
  readonly report: Report;
  /** Losses, notes and places are recorded only for messages that touch this span; for all if left out. */
  readonly within?: Span | undefined;
  /** Receives the places of values. */
  readonly places?: Places | undefined;
}

/** Reads the parts of a text once, each in its language, and passes their messages to a taker. */
export class TextReader {
  readonly #text: string;
  readonly #options: ReadOptions;
  readonly report = new Report();
  readonly #taker: MessageTaker;
  /** The spans of the messages. */
  readonly spans = new SpanList();
  /** The tools that messages declare. */
  readonly #declared = new DeclaredTools();
  /** Parts that could not be read, or not exactly. */
  faults = new FaultList();
  /** The number of messages so far that touch the wanted span. */
  #wanted = 0;
  readonly #reading: Reading;
  #stream: { readonly name: string; readonly reader: StreamReader; last: Span } | undefined;
  #before: string | undefined;
  readonly #protocols: MessageProtocols;
  /** The spans of events whose part is emitted later. */
  readonly #events = new WeakMap<Value, Span>();

  constructor(text: string, options: ReadOptions, taker: MessageTaker) {
    this.#text = text;
    this.#options = options;
    this.#taker = taker;
    this.#protocols = options.protocols;
    const numbering = new Numbering();
    this.#reading = {
      report: this.report,
      protocols: options.protocols,
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
        this.#readPiece(value, move(at), layer);
    };
    const { facts, lines } = this.#protocols.ofLanguage(layer) ?? {};
    const faults =
      facts && lines
        ? yield* lines.readSteps(text, this.#reading, asked, found =>
            this.#add(found.message, facts.name, move(found.span), found.tools),
          )
        : layer === 'aicl'
          ? yield* aiclPieceSteps(text, asked, take)
          : yield* jsonPieceSteps(text, places, take);
    this.#endStream();
    if (!isWhole) this.#addPlaces(places, move);
    if (isWhole) this.faults = faults;
    else for (const fault of faults) this.faults.push({ ...fault, span: move(fault.span) });
  }

  /** The options for a part of the text that begins at `start`, with spans relative to it. */
  #asked(start: number, places: Places | undefined): PartOptions {
    const { within } = this.#options;
    const moved = within && { start: within.start - start, end: within.end - start };
    return { places, within: moved, first: this.#wanted };
  }

  #addPlaces(places: Places | undefined, move: (at: Span) => Span): void {
    for (const [value, at] of places ?? []) this.#options.places?.set(value, move(at));
  }

  /** The items of a list of messages, with their spans if places are recorded; any other value unchanged. */
  #unpackBatch(piece: Piece, layer: TextLayerName, places: Places | undefined): readonly Piece[] {
    const members = layer === 'json' ? batchOf(this.#protocols, piece.value) : undefined;
    if (!members) return [piece];
    this.report.note(
      `A list of ${members.length} messages was read as ${members.length} messages, one after the other`,
    );
    return members.map(value => ({ value, span: places?.get(value) ?? piece.span }));
  }

  /** The known tools once all is read. */
  get tools(): ToolTable {
    return joinTables([this.#reading.tools, this.#declared.table]);
  }

  #readPiece(value: Value, span: Span, layer: TextLayerName): void {
    this.report.begin(this.#isWanted(span) ? this.#wanted : undefined);
    const name = this.#nameOf(value, layer);
    const shape = name === undefined ? undefined : shapeOf(this.#protocols, name);
    if (this.#stream && (name !== this.#stream.name || !shape?.stream?.recognises(value))) this.#endStream();
    if (shape?.stream?.recognises(value)) {
      this.#stream ??= { name: name ?? 'json', reader: shape.stream.reader(this.#reading), last: span };
      this.#stream.last = span;
      const { reader, name: protocol } = this.#stream;
      if (reader.eventsOf) this.#events.set(value, span);
      for (const part of reader.push(value)) this.#add(part, protocol, this.#spanOf(reader, part, span));
      return;
    }
    const read = shape?.read(value, this.#reading);
    // Nearly any reply can look like one of a plain protocol, so it does not determine the protocol of the
    // next message.
    const saysName = !this.#isPlain(name) || findEntry(value, 'method') !== undefined;
    this.#before = read && saysName ? name : this.#before;
    if (read && name) this.#add(read, name, span);
    else
      this.#add(
        this.#reading.number(message('value', { data: value })),
        layer === 'aicl' ? 'aicl' : 'json',
        span,
      );
  }

  #isPlain(name: string | undefined): boolean {
    return this.#protocols.find(name)?.isPlain !== undefined;
  }

  /** The protocol that a value is read by; undefined for a value that is no message. */
  #nameOf(value: Value, layer: TextLayerName): string | undefined {
    const { from } = this.#options;
    const protocols = this.#protocols;
    if (layer === 'aicl') return 'aicl';
    if (from === undefined || layerOf(protocols, from) !== 'json')
      return recognise(protocols, value, this.#before);
    const wanted = shapeOf(protocols, from);
    if (from === PLAIN_JSON.name || wanted?.recognises(value) || wanted?.stream?.recognises(value))
      return from;
    const found = recognise(protocols, value, from);
    if (found === undefined || this.#isPlain(found)) return from;
    // Protocols of a family look alike, so the declared one wins over detection.
    const family = protocols.find(from)?.family;
    const isAlike = family !== undefined && family === protocols.find(found)?.family;
    if (isAlike && !shapeOf(protocols, found)?.stream?.recognises(value)) return from;
    if (found !== from) {
      const [is, not] = [titleOf(protocols, found), titleOf(protocols, from)];
      this.report.note(`A message is ${is}, not ${not}; it was read as what it is`);
    }
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

  /** The span of a part's events; `last` is the span of the stream's latest event. */
  #spanOf(reader: StreamReader, part: Message, last: Span): Span {
    const events = reader.eventsOf?.(part);
    if (!events) return last;
    const { start } = this.#events.get(events.first) ?? last;
    return { start, end: (this.#events.get(events.last) ?? last).end };
  }

  #add(read: Message, protocol: string, span: Span, tools?: ToolTable): void {
    this.spans.push(span);
    if (this.#isWanted(span)) this.#wanted++;
    this.#declared.add(read);
    this.#taker.take({ message: read, protocol, span, tools });
  }

  /** The index of the first wanted message from an index on; past the last one if there is none. */
  #nextWanted(from: number): number {
    let index = from;
    for (let span = this.spans.at(index); span && !this.#isWanted(span); span = this.spans.at(index)) index++;
    return index;
  }

  #isWanted(span: Span): boolean {
    const { within } = this.#options;
    return within === undefined || meetsSpan(span, within);
  }

  /** Reports what could not be read, in the order of the text. */
  reportFaults(): void {
    const lineOf = lineCounter(this.#text);
    const { spans } = this;
    // `index` counts the wanted messages; `next` is the following wanted one among all messages.
    let index = 0;
    let next = this.#nextWanted(this.#nextWanted(0) + 1);
    for (const { kind, message: reported, span } of this.faults) {
      if (!this.#isWanted(span)) continue;
      for (; (spans.startOf(next) ?? Infinity) <= span.start; next = this.#nextWanted(next + 1)) index++;
      this.report.begin(index);
      this.report.loseText(kind, `line ${lineOf(span.start)}`, reported, span);
    }
  }
}

/** Removes an id that is the default one. */
function withoutNumber(read: Message, number: number): Message {
  const { id } = read.fields;
  return id?.kind === 'int' && id.int === number ? withoutField(read, 'id') : read;
}

/** The items of a list in which all are messages, such as a batch of JSON-RPC or the events of a recorded stream. */
function batchOf(protocols: MessageProtocols, value: Value): readonly Value[] | undefined {
  if (value.kind !== 'list' || value.items.length === 0) return undefined;
  const isMessage = (item: Value): boolean => recognise(protocols, item, undefined) !== undefined;
  return value.items.every(isMessage) ? value.items : undefined;
}

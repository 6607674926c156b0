import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { isAnew, isOfValue, joinReply, joinStreamsOfValues, pieceOf } from '../../event-stream/joined.ts';
import { lengthOf, startsWithPieces } from '../../event-stream/pieces.ts';
import { DEFAULT_FORMAT, indentOf } from '../../../language/format.ts';
import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type Entry,
  type Value,
} from '../../../core/values/value.ts';
import { isSameValue } from '../../message/same-value.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { unmarked } from '../../content/canonical.ts';
import { dictOf, joinEntries } from '../../message/dicts.ts';
import { reportRest } from '../../message/dropped.ts';
import { Report } from '../../../core/message/report.ts';
import { jsonShape } from '../../json/shape.ts';
import type { Conversion, LineShape, ProtocolShape } from '../../message/shape.ts';
import { printAicl, printAiclSteps } from '../../../language/values/aicl-printer.ts';
import { TextSink } from '../../../language/values/text-layer.ts';
import { describeBeside } from './beside-text.ts';
import { GROWING_FORMS, type GrowingForm } from './growing-text.ts';
import { withPlainTexts } from './plain-texts.ts';

/** The member for a text of a stream in the growing message. */
type Place = 'reasoning' | 'data';

type Texts = Readonly<Partial<Record<Place, string[]>>>;

/** A message that is still being written. */
interface Growing {
  readonly place: Place;
  /** The piece of the reply that its data is. */
  readonly piece: string;
  /** The session at its beginning. */
  readonly session: Value | undefined;
  /** The texts written so far, as unjoined pieces, because joining them would store them twice. */
  readonly texts: Texts;
  /** What was written around those texts. */
  readonly frame: string;
  /** The end of the text so far, whose encoding depends on what follows. */
  held: string;
  /** True while the text of this member needed no escapes, so that nothing of it can be lost. */
  isPlain: boolean;
}

/**
 * Writes a reply in AICL or AICF while it arrives. The parts of a stream become one growing message: texts
 * are joined as their reader would join them, and everything else follows at the end. Written text is never
 * changed, so the pieces together are the reply.
 */
export class ReplyWriter {
  readonly #form: GrowingForm;
  readonly #asked: Message;
  readonly #conversion: Conversion;
  /** Undefined for a language whose messages are values. */
  readonly #lines: LineShape | undefined;
  readonly #shape: ProtocolShape;
  #growing: Growing | undefined;
  /**
   * Chunks that follow the growing message: other pieces of the reply, and values, which are joined at the end of their
   * stream.
   */
  #others: Message[] = [];
  #hasWritten = false;

  constructor(language: MessageLanguage, asked: Message, conversion: Conversion) {
    this.#form = GROWING_FORMS[language];
    this.#asked = asked;
    this.#conversion = conversion;
    const protocol = conversion.protocols.ofLanguage(language);
    this.#lines = protocol?.lines;
    this.#shape = protocol?.shape ?? jsonShape;
  }

  /** Returns the text that these messages add, in pieces: a joined text would be stored beside them. */
  write(messages: readonly Message[]): readonly string[] {
    return runAtOnce(this.writeSteps(messages));
  }

  /** The same in slices. */
  *writeSteps(messages: readonly Message[]): Generator<undefined, readonly string[]> {
    const written: string[] = [];
    const { report } = this.#conversion;
    const plain = messages.map(read => withPlainTexts(read, this.#form, report));
    // Values that arrive beside a growing text follow it; they neither end it nor replace what it is part of.
    const isGrowing = this.#growing?.place === 'data' || this.#others.length > 0;
    const from = isGrowing ? plain.length : plain.findLastIndex(({ kind }) => kind !== 'chunk') + 1;
    const isOpen = plain.slice(from).some(isOfValue);
    const known = isOpen ? plain.slice(0, from) : plain;
    for (const read of isGrowing ? known : joinStreamsOfValues(known, report))
      written.push(yield* this.#messageSteps(read));
    if (isOpen) for (const read of plain.slice(from)) this.#others.push(read);
    return written;
  }

  /** Ends the reply: closes an open message. */
  end(): string {
    return this.#close() + runAtOnce(this.#otherSteps());
  }

  *#messageSteps(read: Message): Generator<undefined, string> {
    if (read.kind === 'chunk') return this.#writeChunk(read);
    if (read.kind === 'end') return this.#close() + (yield* this.#otherSteps());
    // A whole reply has all of its pieces; an error has none.
    if (read.kind !== 'error') this.#others = [];
    return (
      this.#finish(read) ?? this.#close() + (yield* this.#otherSteps()) + (yield* this.#wholeSteps(read))
    );
  }

  #writeChunk(read: Message): string {
    const text = textIn(read.fields.data);
    const event = textIn(read.fields.event);
    if (text === undefined && isOfValue(read)) this.#others.push(read);
    if (text === undefined) return '';
    if (event === undefined) return this.#growData(text, read);
    // AICF has only one place for texts, and reasoning is not part of the answer.
    return event === 'reasoning' && this.#form.hasMembers ? this.#grow('reasoning', text, read) : '';
  }

  /** Adds to the answer. A piece that is sent again begins a message of its own, because its text was written. */
  #growData(text: string, read: Message): string {
    const growing = this.#growing;
    const isAfterValue = read.fields.stream !== undefined && this.#others.some(isValueOfStream);
    // Values that arrived before the first text are before it.
    if (growing?.place !== 'data') {
      if (isAfterValue) this.#conversion.report.note(APART);
      return runAtOnce(this.#otherSteps()) + this.#grow('data', text, read);
    }
    if (growing.piece !== pieceOf(read) || isAfterValue) {
      this.#others.push(read);
      return '';
    }
    if (!isAnew(read)) return this.#grow('data', text, read);
    this.#conversion.report.note(SENT_AGAIN);
    return this.#close() + this.#grow('data', text, read);
  }

  /** Writes the other pieces of the reply. */
  *#otherSteps(): Generator<undefined, string> {
    const others = this.#others;
    this.#others = [];
    if (others.length === 0) return '';
    if (this.#hasWritten && others.some(isValueOfStream)) this.#conversion.report.note(APART);
    return yield* this.#wholeSteps(joinReply(others, this.#conversion.report));
  }

  #grow(place: Place, text: string, read: Message): string {
    const start = this.#open(place, read);
    const growing = this.#growing;
    // Reasoning that arrives after the answer is written with the rest of the response.
    if (!growing || growing.place !== place) return start;
    growing.texts[place]?.push(text);
    return start + this.#encode(growing, text);
  }

  /** Encodes a text, except for an end whose encoding depends on what follows. */
  #encode(growing: Growing, text: string): string {
    // A run of backslashes may be long: the held part is not searched again, so that this stays linear.
    if (/^\\+$/.test(text) && /^\\*$/.test(growing.held.slice(0, 1)) && !/u/.test(growing.held.slice(-4))) {
      growing.held += text;
      return '';
    }
    const all = growing.held + text;
    const from = this.#form.decidedTo(all);
    growing.held = all.slice(from);
    const decided = all.slice(0, from);
    const encoded = this.#form.encode(decided);
    growing.isPlain &&= encoded === decided;
    return encoded;
  }

  #open(place: Place, read: Message): string {
    const before = this.#growing;
    if (before?.place === place || before?.place === 'data') return '';
    if (before) {
      const added = `],\n${INDENT}[s:${place}]:[s:`;
      const texts = { ...before.texts, [place]: [] };
      this.#growing = {
        ...before,
        place,
        piece: pieceOf(read),
        texts,
        frame: before.frame + added,
        held: '',
        isPlain: true,
      };
      return this.#form.encode(before.held) + added;
    }
    const session = read.fields.session ?? this.#asked.fields.session;
    const frame = this.#printOpen(session, place);
    this.#growing = {
      place,
      piece: pieceOf(read),
      session,
      texts: { [place]: [] },
      frame,
      held: '',
      isPlain: true,
    };
    return this.#separator() + frame;
  }

  #printOpen(session: Value | undefined, place: Place): string {
    if (this.#lines) return 'OK|';
    const empty = message('result', { data: textValue(''), session });
    const report = new Report();
    const value = this.#toValue(empty, report);
    const whole = this.#printValue(place === 'reasoning' ? withReasoning(value, '') : value, report);
    const open = `[s:${place}]:[s:`;
    return whole.slice(0, whole.lastIndexOf(open) + open.length);
  }

  /** Closes an open message that ended without a whole result. */
  #close(): string {
    const growing = this.#growing;
    if (!growing) return '';
    const { data } = growing.texts;
    // A plain text was written already and loses nothing; it may be long, so it is not joined to find losses.
    const isReported = growing.place === 'data' && growing.isPlain && growing.held === '';
    if (data && isReported && this.#form.hasMembers) data.length = 0;
    const read = message('result', { data: data && textValue(data.join('')) });
    return this.#finish(read) ?? this.#endHard(growing);
  }

  /**
   * The remaining text of the growing message, if `read` is its whole; undefined if `read` contradicts the
   * text that was written.
   */
  #finish(read: Message): string | undefined {
    const growing = this.#growing;
    if (!growing || read.kind !== 'result') return undefined;
    if (this.#lines) return this.#finishLine(this.#lines, read, growing);
    const { report } = this.#conversion;
    const { data, reasoning } = growing.texts;
    const value = this.#toValue(ofSession(read, growing), report);
    const said = textIn(findEntry(value, 'data'));
    if (data && (said === undefined || !startsWithPieces(said, data))) return undefined;
    // The texts are written already: only what is around them is printed.
    const unreported = data ? withoutData(value) : value;
    const around = this.#printValue(reasoning ? withReasoning(unreported, '') : unreported, new Report());
    if (!around.startsWith(growing.frame)) return undefined;
    const added = data && said !== undefined ? this.#encode(growing, said.slice(lengthOf(data))) : '';
    const rest = this.#form.encode(growing.held) + around.slice(growing.frame.length);
    this.#growing = undefined;
    this.#hasWritten = true;
    reportLosses(reasoning ? withReasoning(value, reasoning.join('')) : value, report);
    return added + rest;
  }

  #finishLine(lines: LineShape, read: Message, growing: Growing): string | undefined {
    const { report } = this.#conversion;
    const data = textIn(read.fields.data);
    const { data: reported = [] } = growing.texts;
    if (data === undefined || !startsWithPieces(data, reported)) return undefined;
    const added = this.#encode(growing, data.slice(lengthOf(reported)));
    // A streamed text is written without quotes, which AICF would add to it if it were known as a whole.
    // Only the lengths are compared, because a text of megabytes is not stored once more.
    const sink = new TextSink();
    lines.write(textAlone(read, report), this.#conversion, sink);
    if (sink.length > `OK|${this.#form.encode(data)}\n`.length) report.note(LIKE_JSON);
    return added + this.#endHard(growing);
  }

  /** Ends a message without its remaining fields. */
  #endHard({ held }: Growing): string {
    this.#growing = undefined;
    this.#hasWritten = true;
    return this.#form.encode(held) + this.#form.end;
  }

  *#wholeSteps(read: Message): Generator<undefined, string> {
    const session = read.fields.session ?? this.#asked.fields.session;
    const before = this.#separator();
    const text = before + (yield* this.#printSteps(message(read.kind, { ...read.fields, session })));
    this.#hasWritten = true;
    return text;
  }

  *#printSteps(read: Message): Generator<undefined, string> {
    const { report } = this.#conversion;
    if (this.#lines) {
      const line = this.#printLine(this.#lines, read);
      yield;
      return line;
    }
    const { rest } = unmarked(read).fields;
    if (rest) reportRest(rest, dictOf({ aicl: findEntry(rest, 'aicl') }), 'aicl', this.#conversion);
    return yield* this.#valueSteps(this.#toValue(read, report), report);
  }

  #printLine(lines: LineShape, read: Message): string {
    const sink = new TextSink();
    lines.write(textAlone(read, this.#conversion.report), this.#conversion, sink);
    return sink.toString();
  }

  #toValue(read: Message, report: Report): Value {
    return this.#shape.write(read, { ...this.#conversion, report, id: 1 });
  }

  #printValue(value: Value, report: Report): string {
    return runAtOnce(this.#valueSteps(value, report));
  }

  *#valueSteps(value: Value, report: Report): Generator<undefined, string> {
    const sink = new TextSink();
    yield* printAiclSteps(value, sink, 'pretty', report);
    sink.write('\n');
    yield;
    return sink.toString();
  }

  #separator(): string {
    return this.#hasWritten ? this.#form.between : '';
  }
}

const SENT_AGAIN =
  'The agent sent a part of its reply again: the last version counts, and is a message of its own';

const APART =
  'The values of the stream have several types: those that follow the first ones are a message of their own, in their order';

/** True for a chunk with a value in a stream whose chunks are in order. */
function isValueOfStream(read: Message): boolean {
  return isOfValue(read) && read.fields.stream !== undefined;
}

const LIKE_JSON = 'The text of the reply looks like JSON, and is read as that in AICF';

const INDENT = indentOf(DEFAULT_FORMAT).text;

/** The message in the session of its beginning; another session that its agent named later goes to the metadata. */
function ofSession(read: Message, { session }: Growing): Message {
  const own = read.fields.session;
  if (!own || !session || isSameValue(own, session)) return message('result', { ...read.fields, session });
  const { metadata } = read.fields;
  const entries = joinEntries(metadata?.kind === 'dict' ? metadata.entries : [], [
    { key: 'session_id', value: own },
  ]);
  return message('result', { ...read.fields, session, metadata: dictValue(entries) });
}

/** Reduces a result to its data, the only place in AICF; notes what the response has besides its text. */
function textAlone(read: Message, report: Report): Message {
  const { metadata } = read.fields;
  if (read.kind !== 'result' || !metadata) return message(read.kind, { ...read.fields, session: undefined });
  report.note(describeBeside(metadata));
  return message('result', { ...read.fields, session: undefined, metadata: undefined });
}

/** Reports the losses of writing a text, without producing the text. */
function reportLosses(value: Value, report: Report): void {
  // The pieces in the sink are never joined, so they cost no memory.
  printAicl(value, new TextSink(), 'pretty', report);
}

/** A message with its `data` replaced by an empty text. */
function withoutData(value: Value): Value {
  if (value.kind !== 'dict') return value;
  return dictValue(
    value.entries.map(entry => (entry.key === 'data' ? { key: 'data', value: textValue('') } : entry)),
  );
}

/** A message with `reasoning` before its data. */
function withReasoning(value: Value, reasoning: string): Value {
  if (value.kind !== 'dict') return value;
  const { entries } = value;
  const found = entries.findIndex(({ key }) => key === 'data' || key === 'content');
  const at = found === -1 ? Math.min(HEADER, entries.length) : found;
  const own: Entry = { key: 'reasoning', value: textValue(reasoning) };
  return dictValue([...entries.slice(0, at), own, ...entries.slice(at)]);
}

/** The number of header entries of each AICL message. */
const HEADER = 3;

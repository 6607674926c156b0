import { escapeText } from '../../../language/aicl/escapes.ts';
import { encodeField, escapeField } from '../../../language/aicf/codec.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { lengthOf, startsWithPieces } from '../../event-stream/pieces.ts';
import { DEFAULT_FORMAT, indentOf } from '../../../language/format.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type Entry,
  type Value,
} from '../../../core/values/value.ts';
import { isSameValue } from '../../../language/values/same-value.ts';
import { writeData } from '../../aicf/value.ts';
import { writeAicfMessage } from '../../aicf/writer.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { joinEntries } from '../../message/dicts.ts';
import { Report } from '../../../core/message/report.ts';
import type { Conversion } from '../../message/shape.ts';
import { SHAPES } from '../shapes.ts';
import { printAicl, printAiclSteps } from '../../../language/values/aicl-printer.ts';
import { TextSink } from '../../../language/values/text-layer.ts';
import { describeBeside } from './beside-text.ts';

/** Where a text of a stream stands in the message that grows. */
type Place = 'reasoning' | 'data';

type Texts = Readonly<Partial<Record<Place, string[]>>>;

/** A message that grows. */
interface Growing {
  readonly place: Place;
  /** The session that it was begun with. */
  readonly session: Value | undefined;
  /** What its places say so far, as their values say it, in the pieces that came: joined they would be there twice. */
  readonly texts: Texts;
  /** All of it that was written around those texts. */
  readonly frame: string;
  /** The end of its text so far: how that is written depends on what follows. */
  held: string;
  /** True while the text of that place was written to the letter: such a one loses nothing. */
  isPlain: boolean;
}

/**
 * Writes a reply in one of our languages while it comes. The parts of a stream are one message that grows: texts join, as
 * their reader would join them, and what the reply says beside them follows when it is over. What was written is never
 * taken back, so the pieces are the reply.
 */
export class ReplyWriter {
  readonly #language: LanguageId;
  readonly #asked: Message;
  readonly #conversion: Conversion;
  #growing: Growing | undefined;
  #hasWritten = false;

  constructor(language: LanguageId, asked: Message, tools: ToolTable, report: Report) {
    this.#language = language;
    this.#asked = asked;
    this.#conversion = { report, tools };
  }

  /** What the text grows by with these messages. */
  write(messages: readonly Message[]): string {
    return runAtOnce(this.writeSteps(messages));
  }

  /** The same in slices. */
  *writeSteps(messages: readonly Message[]): Generator<undefined, string> {
    const written: string[] = [];
    for (const read of messages) written.push(yield* this.#messageSteps(read));
    return written.join('');
  }

  /** The end of the reply: closes what is open. */
  end(): string {
    return this.#close();
  }

  *#messageSteps(read: Message): Generator<undefined, string> {
    if (read.kind === 'chunk') return this.#writeChunk(read);
    if (read.kind === 'end') return this.#close();
    return this.#finish(read) ?? this.#close() + (yield* this.#wholeSteps(read));
  }

  #writeChunk(read: Message): string {
    const text = textIn(read.fields.data);
    const event = textIn(read.fields.event);
    if (text === undefined) return '';
    if (event === undefined) return this.#grow('data', text, read);
    // AICF has one place for all texts, and thoughts are no answer.
    return event === 'reasoning' && this.#language === 'aicl' ? this.#grow('reasoning', text, read) : '';
  }

  #grow(place: Place, text: string, read: Message): string {
    const start = this.#open(place, read);
    const growing = this.#growing;
    // Thoughts that come after the answer stand in what follows it.
    if (!growing || growing.place !== place) return start;
    growing.texts[place]?.push(text);
    return start + this.#encode(growing, text);
  }

  /** The text as it is written, but for an end whose writing depends on what follows. */
  #encode(growing: Growing, text: string): string {
    // A run of backslashes may go on for long: what is held is not looked at again.
    if (/^\\+$/.test(text) && /^\\*$/.test(growing.held.slice(0, 1)) && !/u/.test(growing.held.slice(-4))) {
      growing.held += text;
      return '';
    }
    const all = growing.held + text;
    const from = decidedTo(all, this.#language);
    growing.held = all.slice(from);
    const decided = all.slice(0, from);
    const encoded = this.#encodeAll(decided);
    growing.isPlain &&= encoded === decided;
    return encoded;
  }

  #encodeAll(text: string): string {
    return this.#language === 'aicf' ? encodeField(text) : escapeText(sendable(text));
  }

  #open(place: Place, read: Message): string {
    const before = this.#growing;
    if (before?.place === place || before?.place === 'data') return '';
    if (before) {
      const added = `],\n${INDENT}[s:${place}]:[s:`;
      const texts = { ...before.texts, [place]: [] };
      this.#growing = { ...before, place, texts, frame: before.frame + added, held: '', isPlain: true };
      return this.#encodeAll(before.held) + added;
    }
    const session = read.fields.session ?? this.#asked.fields.session;
    const frame = this.#printOpen(session, place);
    this.#growing = { place, session, texts: { [place]: [] }, frame, held: '', isPlain: true };
    return this.#separator() + frame;
  }

  #printOpen(session: Value | undefined, place: Place): string {
    if (this.#language === 'aicf') return 'OK|';
    const empty = message('result', { data: textValue(''), session });
    const report = new Report();
    const value = this.#toValue(empty, report);
    const whole = this.#printValue(place === 'reasoning' ? withReasoning(value, '') : value, report);
    const open = `[s:${place}]:[s:`;
    return whole.slice(0, whole.lastIndexOf(open) + open.length);
  }

  /** Closes what is open where nothing more is known of it. */
  #close(): string {
    const growing = this.#growing;
    if (!growing) return '';
    const { data } = growing.texts;
    // Its text stands there already, to the letter: it is not joined, for it may be long, to find what it loses.
    const isTold = growing.place === 'data' && growing.isPlain && growing.held === '';
    if (data && isTold && this.#language === 'aicl') data.length = 0;
    const read = message('result', { data: data && textValue(data.join('')) });
    return this.#finish(read) ?? this.#endHard(growing);
  }

  /**
   * The rest of the message that grows, where this is all of it; undefined where it says something else than what was
   * written.
   */
  #finish(read: Message): string | undefined {
    const growing = this.#growing;
    if (!growing || read.kind !== 'result') return undefined;
    if (this.#language === 'aicf') return this.#finishLine(read, growing);
    const { report } = this.#conversion;
    const { data, reasoning } = growing.texts;
    const value = this.#toValue(ofSession(read, growing), report);
    const said = textIn(findEntry(value, 'data'));
    if (data && (said === undefined || !startsWithPieces(said, data))) return undefined;
    // The texts stand there already: what is printed is all around them.
    const untold = data ? withoutData(value) : value;
    const around = this.#printValue(reasoning ? withReasoning(untold, '') : untold, new Report());
    if (!around.startsWith(growing.frame)) return undefined;
    const added = data && said !== undefined ? this.#encode(growing, said.slice(lengthOf(data))) : '';
    const rest = this.#encodeAll(growing.held) + around.slice(growing.frame.length);
    this.#growing = undefined;
    this.#hasWritten = true;
    tellLosses(reasoning ? withReasoning(value, reasoning.join('')) : value, report);
    return added + rest;
  }

  #finishLine(read: Message, growing: Growing): string | undefined {
    const { report } = this.#conversion;
    const data = textIn(read.fields.data);
    const { data: told = [] } = growing.texts;
    if (data === undefined || !startsWithPieces(data, told)) return undefined;
    const added = this.#encode(growing, data.slice(lengthOf(told)));
    // A text that is told as it comes stands as it is; one that is known before is set in quotes.
    if (writeData(textValue(data)) !== escapeField(data)) report.note(LIKE_JSON);
    writeAicfMessage(textAlone(read, report), this.#conversion, new TextSink());
    return added + this.#endHard(growing);
  }

  /** The end of a message whose rest does not follow from what was written. */
  #endHard(growing: Growing): string {
    this.#growing = undefined;
    this.#hasWritten = true;
    return this.#language === 'aicf' ? `${encodeField(growing.held)}\n` : `${this.#endText(growing)}\n]\n`;
  }

  #endText({ held }: Growing): string {
    return `${this.#encodeAll(held)}]`;
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
    if (this.#language === 'aicl') return yield* this.#valueSteps(this.#toValue(read, report), report);
    const sink = new TextSink();
    writeAicfMessage(textAlone(read, report), this.#conversion, sink);
    return sink.toString();
  }

  #toValue(read: Message, report: Report): Value {
    return SHAPES.aicl.write(read, { ...this.#conversion, report, id: 1 });
  }

  #printValue(value: Value, report: Report): string {
    return runAtOnce(this.#valueSteps(value, report));
  }

  *#valueSteps(value: Value, report: Report): Generator<undefined, string> {
    const sink = new TextSink();
    yield* printAiclSteps(value, sink, 'pretty', report);
    sink.write('\n');
    return sink.toString();
  }

  #separator(): string {
    return this.#hasWritten && this.#language === 'aicl' ? '\n' : '';
  }
}

const LIKE_JSON = 'The text of the reply looks like JSON, and is read as that in AICF';

const INDENT = indentOf(DEFAULT_FORMAT).text;

/** The message in the session that it was begun with; another one that its agent named later is not forgotten. */
function ofSession(read: Message, { session }: Growing): Message {
  const own = read.fields.session;
  if (!own || !session || isSameValue(own, session)) return message('result', { ...read.fields, session });
  const { metadata } = read.fields;
  const entries = joinEntries(metadata?.kind === 'dict' ? metadata.entries : [], [
    { key: 'session_id', value: own },
  ]);
  return message('result', { ...read.fields, session, metadata: dictValue(entries) });
}

/** AICF has a place for the data of a result alone: what a response says beside its text is told. */
function textAlone(read: Message, report: Report): Message {
  const { metadata } = read.fields;
  if (read.kind !== 'result' || !metadata) return message(read.kind, { ...read.fields, session: undefined });
  report.note(describeBeside(metadata));
  return message('result', { ...read.fields, session: undefined, metadata: undefined });
}

/** What is lost of a text while it is written, told without writing it. */
function tellLosses(value: Value, report: Report): void {
  // The text that is printed is never joined, and so costs no memory.
  printAicl(value, new TextSink(), 'pretty', report);
}

/** A message whose data, a text, is left out. */
function withoutData(value: Value): Value {
  if (value.kind !== 'dict') return value;
  return dictValue(
    value.entries.map(entry => (entry.key === 'data' ? { key: 'data', value: textValue('') } : entry)),
  );
}

/** A message with its thoughts before its data. */
function withReasoning(value: Value, reasoning: string): Value {
  if (value.kind !== 'dict') return value;
  const { entries } = value;
  const found = entries.findIndex(({ key }) => key === 'data' || key === 'content');
  const at = found === -1 ? Math.min(HEADER, entries.length) : found;
  const own: Entry = { key: 'reasoning', value: textValue(reasoning) };
  return dictValue([...entries.slice(0, at), own, ...entries.slice(at)]);
}

/** The entries that each message of AICL begins with. */
const HEADER = 3;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** A text as AICL can send it. */
function sendable(text: string): string {
  return text.replace(LONE_SURROGATES, '\ufffd');
}

/** The first half of a character beyond U+FFFF, whose second one may follow. */
const HALF = /[\ud800-\udbff]/;

/** Backslashes that may be part of an escape, or be followed by what is escaped. */
const UNDECIDED = /(?<!\\)\\+(?:u(?:0(?:0[05]?)?)?)?$/;

/**
 * How far a text is written the same whatever follows: not half of a character; in AICF not a CR, which may be half of a line
 * end; in AICL not backslashes, which count before a bracket, a CR and the letters of an escape.
 */
function decidedTo(text: string, language: LanguageId): number {
  if (HALF.test(text.slice(-1))) return text.length - 1;
  if (language === 'aicf') return text.endsWith('\r') ? text.length - 1 : text.length;
  return UNDECIDED.exec(text)?.index ?? text.length;
}

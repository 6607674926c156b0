import type { Value } from '../../core/values/value.ts';
import { lastAtMost } from '../../core/text/number-list.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { isSse, listSseEvents, type StreamEvent } from '../../core/text/event-stream.ts';
import { findLineEnd } from '../../core/text/line-splitter.ts';
import { recoverSteps } from './json-recovery.ts';
import { JsonValueReader, type JsonNotes } from './json-value-reader.ts';
import { Leniency } from './json-ends.ts';
import { FaultList } from './fault-list.ts';
import type { Piece, PieceList, Places, TakePiece } from './text-layer.ts';

/**
 * Reads all values of a JSON text (RFC 8259): a document, several in sequence, one per line, or the data of server-sent
 * events. Exact: integers of any size, keys in order, and the notation of docs/json-notation.md decoded. Broken JSON is
 * read as far as possible; a broken line among other lines is dropped. Never fails; linear.
 */
export function readJsonPieces(text: string, places?: Places): PieceList {
  const pieces: Piece[] = [];
  const faults = runAtOnce(jsonPieceSteps(text, places, piece => pieces.push(piece)));
  return { pieces, faults: [...faults] };
}

/** The same in slices; returns the faults. */
export function* jsonPieceSteps(
  text: string,
  places: Places | undefined,
  take: TakePiece,
): Generator<undefined, FaultList> {
  const notes: JsonNotes = { faults: new FaultList(), places };
  if (isSse(text)) yield* readEvents(text, notes, take);
  else yield* new BodyReader(text, notes, take).read();
  return notes.faults;
}

/** The value of a text that is exactly one valid JSON value, read without loss; undefined otherwise. */
export function readJsonValue(text: string): Value | undefined {
  return exactValue(readWhole(text));
}

/** The value, if it was read without loss. */
export function exactValue(whole: WholeValue | undefined): Value | undefined {
  return whole?.faults.length === 0 ? whole.value : undefined;
}

/**
 * The same for callers that print the value as it was written: a number that no double represents is allowed,
 * because its digits are stored.
 */
export function readWrittenJson(text: string): Value | undefined {
  return writtenValue(readWhole(text));
}

/** The same in slices. */
export function* writtenJsonSteps(text: string): Generator<undefined, Value | undefined> {
  return writtenValue(yield* wholeSteps(text));
}

/** The value, if nothing but the size of its numbers was lost. */
export function writtenValue(whole: WholeValue | undefined): Value | undefined {
  for (const { kind } of whole?.faults ?? []) if (kind !== 'rounded') return undefined;
  return whole?.value;
}

/**
 * The value of a text that is one strictly valid JSON value, with the values that were not read exactly;
 * undefined otherwise. What is nested too deep is not validated.
 */
export function readStrictJson(text: string): WholeValue | undefined {
  return strictValue(readWhole(text));
}

/** The value, if the text is strictly valid JSON. */
export function strictValue(whole: WholeValue | undefined): WholeValue | undefined {
  return whole?.leniency.isFound ? undefined : whole;
}

/** The one value of a text, and the parts of it that were not read exactly. */
export interface WholeValue {
  readonly value: Value;
  readonly faults: FaultList;
  readonly leniency: Leniency;
}

/** A value that was read without loss. */
export function wholeOf(value: Value): WholeValue {
  return { value, faults: new FaultList(), leniency: new Leniency() };
}

/** Reads a text that is one JSON value; undefined for any other text. */
export function readWhole(text: string): WholeValue | undefined {
  const faults = new FaultList();
  const reader = new JsonValueReader(text, 0, { faults, places: undefined });
  const value = reader.read(0);
  return value && reader.isAtEnd ? { value, faults, leniency: reader.leniency } : undefined;
}

/** The same in slices. */
export function* wholeSteps(text: string): Generator<undefined, WholeValue | undefined> {
  const faults = new FaultList();
  const reader = new JsonValueReader(text, 0, { faults, places: undefined });
  const value = yield* reader.readSteps(0);
  return value && reader.isAtEnd ? { value, faults, leniency: reader.leniency } : undefined;
}
/** The data with which some servers end a stream. */
const DONE = '[DONE]';

function* readEvents(text: string, notes: JsonNotes, take: TakePiece): Generator<undefined, void> {
  const meter = new SliceMeter();
  const reader = new JsonValueReader(text, 0, notes);
  for (const event of listSseEvents(text, line => reportForeign(text, line, notes.faults))) {
    if (event.data.trim() === DONE) continue;
    const value = yield* lineSteps(reader, event, notes);
    if (value) take({ value, span: event.span });
    else yield* joinedSteps(event, notes, take);
    if (meter.isFull(event.span.end)) yield;
  }
}

/** Reads the data of most events, one value on one line, in place; undefined for other data. */
function* lineSteps(
  reader: JsonValueReader,
  { data, lines }: StreamEvent,
  { faults, places }: JsonNotes,
): Generator<undefined, Value | undefined> {
  const [line, ...others] = lines;
  if (!line || others.length > 0) return undefined;
  const reported = faults.length;
  const start = line.start + skipBetween(data, 0);
  const value = yield* reader.readSteps(start);
  const end = line.start + data.trimEnd().length;
  if (value && reader.end === end) {
    places?.set(value, { start, end });
    return value;
  }
  faults.cut(reported);
  return undefined;
}

/** Reads data of several lines or values, or that is broken, from its own text. */
function* joinedSteps(
  { span, data, lines }: StreamEvent,
  notes: JsonNotes,
  take: TakePiece,
): Generator<undefined, void> {
  const event: JsonNotes = { faults: new FaultList(), places: notes.places && new Map() };
  const pieces: Piece[] = [];
  yield* new BodyReader(data, event, piece => pieces.push(piece)).read();
  const move = moveThrough(lines);
  for (const fault of event.faults) notes.faults.push({ ...fault, span: move(fault.span) });
  event.places?.forEach((place, value) => notes.places?.set(value, move(place)));
  const isOne = pieces.length === 1;
  for (const piece of pieces) take({ value: piece.value, span: isOne ? span : move(piece.span) });
}

/** Maps spans in data that was joined from its lines to the text. */
function moveThrough(lines: readonly Span[]): (span: Span) => Span {
  const starts: number[] = [];
  let joined = 0;
  for (const { start, end } of lines) {
    starts.push(joined);
    joined += end - start + 1;
  }
  const moved = (offset: number): number => {
    const line = lastAtMost(starts, offset);
    return (lines[line]?.start ?? 0) + offset - (starts[line] ?? 0);
  };
  return ({ start, end }) => ({ start: moved(start), end: moved(end) });
}

/** Reads values that follow each other in a text. */
class BodyReader {
  readonly #text: string;
  readonly #notes: JsonNotes;
  readonly #take: TakePiece;
  #at = 0;
  /** True after the first value. */
  #hasValues = false;
  /** The end of the current unit; set after the first broken value, then it limits how far a value may extend. */
  #unitEnd: number | undefined;

  constructor(text: string, notes: JsonNotes, take: TakePiece) {
    this.#text = text;
    this.#notes = notes;
    this.#take = take;
  }

  *read(): Generator<undefined, void> {
    const { faults } = this.#notes;
    const meter = new SliceMeter();
    let reader = new JsonValueReader(this.#text, 0, this.#notes);
    for (;;) {
      const start = skipBetween(this.#text, this.#at);
      this.#at = start;
      if (start >= this.#text.length) return;
      const isBroken = this.#unitEnd !== undefined;
      if (isBroken) reader = this.#openUnit();
      const reported = faults.length;
      reader.begin(start);
      while (!reader.advance()) yield;
      const { value } = reader;
      if (value && endsValue(this.#text, reader.end)) this.#push(value, start, reader.end);
      else {
        faults.cut(reported);
        if (isBroken) yield* this.#recover();
        else this.#unitEnd = start;
      }
      if (meter.isFull(this.#at)) yield;
    }
  }

  /** A reader of the unit's own text, so that an unclosed value does not extend over everything after it. */
  #openUnit(): JsonValueReader {
    const start = this.#at;
    if ((this.#unitEnd ?? 0) <= start) this.#unitEnd = findUnitEnd(this.#text, start);
    return new JsonValueReader(this.#text.slice(start, this.#unitEnd), start, this.#notes);
  }

  #push(value: Value, start: number, end: number): void {
    this.#notes.places?.set(value, { start, end });
    this.#hasValues = true;
    this.#at = end;
    this.#take({ value, span: { start, end } });
  }

  /** Reads a broken value. */
  *#recover(): Generator<undefined, void> {
    const start = this.#at;
    const { faults } = this.#notes;
    const first = this.#text.charAt(start);
    const isOpen = first === '{' || first === '[';
    const end = isOpen ? (this.#unitEnd ?? this.#text.length) : findLineEnd(this.#text, start);
    const reported = faults.length;
    const recovered =
      isOpen || first === '"'
        ? yield* recoverSteps(this.#text.slice(start, end), start, this.#notes)
        : undefined;
    if (!recovered || (faults.length > reported && this.#isLineAmongOthers(start, end))) {
      faults.cut(reported);
      reportForeign(this.#text, { start, end: findLineEnd(this.#text, start) }, faults);
      this.#at = findLineEnd(this.#text, start);
      return;
    }
    this.#push(recovered.value, start, start + recovered.end);
  }

  /** True for one of several lines: if such a line is broken, it is dropped as a whole. */
  #isLineAmongOthers(start: number, end: number): boolean {
    const text = this.#text;
    const isLine = skipBetween(text, findLineEnd(text, start)) >= end;
    return isLine && (this.#hasValues || end < text.length);
  }
}

function reportForeign(text: string, { start, end }: Span, faults: FaultList): void {
  const message = `${quote(text.slice(start, end).trim())} is not complete JSON; the line is left out`;
  faults.push({ kind: 'dropped', span: { start, end }, message });
}

const BETWEEN = new Set([9, 10, 13, 32, 0x2c, 0xfeff]);

/** Skips what may be between values: blanks, commas, and a BOM. */
function skipBetween(text: string, start: number): number {
  let at = start;
  while (BETWEEN.has(text.charCodeAt(at))) at++;
  return at;
}

/** True if no further character of a word or number follows. */
function endsValue(text: string, at: number): boolean {
  return /["}\]]/.test(text.charAt(at - 1)) || !/[\p{L}\p{N}_.+$'-]/u.test(text.charAt(at));
}

/**
 * The latest end of the value at an offset: before a line that starts with a bracket, which starts a new
 * value. In a list, a line after a comma or the list's opening bracket starts an item instead.
 */
function findUnitEnd(text: string, start: number): number {
  const isList = text.charAt(start) === '[';
  for (let at = findLineEnd(text, start); at < text.length; at = findLineEnd(text, at + 1)) {
    if (!/[{[]/.test(text.charAt(at + 1))) continue;
    if (!isList || !/[,[]/.test(lastBefore(text, at, start))) return at + 1;
  }
  return text.length;
}

/** The last non-blank before an offset. */
function lastBefore(text: string, from: number, start: number): string {
  let at = from - 1;
  while (at > start && /[ \t\r\n]/.test(text.charAt(at))) at--;
  return text.charAt(at);
}

import type { Value } from '../../core/values/value.ts';
import { parseJson } from '../../core/text/json.ts';
import { lastAtMost } from '../../core/text/count-while.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { recoverSteps } from './json-recovery.ts';
import { JsonValueReader, type JsonNotes } from './json-value-reader.ts';
import { isSse, lineEnd, listSseEvents } from './sse.ts';
import { FaultList } from './fault-list.ts';
import type { Piece, PieceList, Places, TakePiece } from './text-layer.ts';

/**
 * All values of a text of JSON (RFC 8259): a document, several one after the other, one a line, or the data of
 * server-sent events. Exact: integers of any size, keys in their order, and the notation of docs/json-notation.md undone.
 * Of broken JSON what can be read is; a line that is not whole among other lines is left out. Total, and linear.
 */
export function readJsonPieces(text: string, places?: Places): PieceList {
  const pieces: Piece[] = [];
  const faults = runAtOnce(jsonPieceSteps(text, places, piece => pieces.push(piece)));
  return { pieces, faults: [...faults] };
}

/** The same in slices; answers what could not be read. */
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

/** The value of a text that is one value of whole JSON and was read exactly; undefined for any other. */
export function readJsonValue(text: string): Value | undefined {
  return runAtOnce(jsonValueSteps(text));
}

/** The same in slices. */
export function* jsonValueSteps(text: string): Generator<undefined, Value | undefined> {
  const { value, faults } = yield* wholeSteps(text);
  return faults.length === 0 ? value : undefined;
}

/**
 * The same for who prints it as it was written: a number that no double is counts as read exactly, since its value keeps
 * its digits.
 */
export function readWrittenJson(text: string): Value | undefined {
  return runAtOnce(writtenJsonSteps(text));
}

/** The same in slices. */
export function* writtenJsonSteps(text: string): Generator<undefined, Value | undefined> {
  const { value, faults } = yield* wholeSteps(text);
  for (const { kind } of faults) if (kind !== 'rounded') return undefined;
  return value;
}

interface WholeValue {
  readonly value: Value | undefined;
  readonly faults: FaultList;
}

function* wholeSteps(text: string): Generator<undefined, WholeValue> {
  const faults = new FaultList();
  const reader = new JsonValueReader(text, 0, { faults, places: undefined });
  const value = yield* reader.readSteps(text.search(/[^ \t\r\n]/));
  return { value: /[^ \t\r\n]/.test(text.slice(reader.at)) ? undefined : value, faults };
}

/**
 * The value of a text that is one value of JSON to the letter, with what was read otherwise than it stands; undefined for
 * any other.
 */
export function readStrictJson(text: string): StrictValue | undefined {
  return runAtOnce(strictJsonSteps(text));
}

interface StrictValue {
  readonly value: Value;
  readonly faults: FaultList;
}

/** The same in slices. */
export function* strictJsonSteps(text: string): Generator<undefined, StrictValue | undefined> {
  const faults = new FaultList();
  const reader = new JsonValueReader(text, 0, { faults, places: undefined });
  const value = yield* reader.readSteps(text.search(/[^ \t\r\n]/));
  if (!value || reader.isLenient || /[^ \t\r\n]/.test(text.slice(reader.at))) return undefined;
  // What is nested too deep was not read.
  return faults.length > 0 && parseJson(text) === undefined ? undefined : { value, faults };
}

/** What some servers end a stream with. */
const DONE = '[DONE]';

function* readEvents(text: string, notes: JsonNotes, take: TakePiece): Generator<undefined, void> {
  const meter = new SliceMeter();
  for (const { span, data } of listSseEvents(text, line => tellForeign(text, line, notes.faults))) {
    const [first, ...others] = data;
    const source = data.map(({ start, end }) => text.slice(start, end)).join('\n');
    if (!first || source.trim() === DONE) continue;
    const event: JsonNotes = { faults: new FaultList(), places: notes.places && new Map() };
    const pieces: Piece[] = [];
    yield* new BodyReader(source, event, piece => pieces.push(piece)).read();
    const move = others.length === 0 ? shiftBy(first.start) : moveThrough(data);
    for (const fault of event.faults) notes.faults.push({ ...fault, span: move(fault.span) });
    event.places?.forEach((place, value) => notes.places?.set(value, move(place)));
    const isOne = pieces.length === 1;
    for (const piece of pieces) take({ value: piece.value, span: isOne ? span : move(piece.span) });
    if (meter.isFull(span.end)) yield;
  }
}

function shiftBy(by: number): (span: Span) => Span {
  return ({ start, end }) => ({ start: start + by, end: end + by });
}

/** Where a span of data that were joined from several lines stands in the text. */
function moveThrough(data: readonly Span[]): (span: Span) => Span {
  const starts: number[] = [];
  let joined = 0;
  for (const { start, end } of data) {
    starts.push(joined);
    joined += end - start + 1;
  }
  const moved = (offset: number): number => {
    const line = lastAtMost(starts, offset);
    return (data[line]?.start ?? 0) + offset - (starts[line] ?? 0);
  };
  return ({ start, end }) => ({ start: moved(start), end: moved(end) });
}

/** Values of a text that follow each other. */
class BodyReader {
  readonly #text: string;
  readonly #notes: JsonNotes;
  readonly #take: TakePiece;
  #at = 0;
  /** True once a value was found. */
  #hasValues = false;
  /** Known once something was not whole: what is read from then on ends here at the latest. */
  #unitEnd: number | undefined;

  constructor(text: string, notes: JsonNotes, take: TakePiece) {
    this.#text = text;
    this.#notes = notes;
    this.#take = take;
  }

  *read(): Generator<undefined, void> {
    const meter = new SliceMeter();
    const whole = new JsonValueReader(this.#text, 0, this.#notes);
    for (;;) {
      this.#at = skipBetween(this.#text, this.#at);
      if (this.#at >= this.#text.length) return;
      const isBroken = this.#unitEnd !== undefined;
      if (isBroken ? !(yield* this.#unitSteps()) : !(yield* this.#addSteps(whole, this.#at, 0))) {
        if (isBroken) yield* this.#recover();
        else this.#unitEnd = this.#at;
      }
      if (meter.isFull(this.#at)) yield;
    }
  }

  /** Reads a value from the unit's own text, so that one which is not closed does not run through all that follows. */
  *#unitSteps(): Generator<undefined, boolean> {
    const base = this.#at;
    if ((this.#unitEnd ?? 0) <= base) this.#unitEnd = findUnitEnd(this.#text, base);
    const reader = new JsonValueReader(this.#text.slice(base, this.#unitEnd), base, this.#notes);
    return yield* this.#addSteps(reader, 0, base);
  }

  *#addSteps(reader: JsonValueReader, start: number, base: number): Generator<undefined, boolean> {
    const told = this.#notes.faults.length;
    const value = yield* reader.readSteps(start);
    const end = base + reader.at;
    if (!value || !endsValue(this.#text, end)) {
      this.#notes.faults.cut(told);
      return false;
    }
    this.#push(value, base + start, end);
    return true;
  }

  #push(value: Value, start: number, end: number): void {
    this.#notes.places?.set(value, { start, end });
    this.#hasValues = true;
    this.#at = end;
    this.#take({ value, span: { start, end } });
  }

  /** Reads what is no whole value. */
  *#recover(): Generator<undefined, void> {
    const start = this.#at;
    const { faults } = this.#notes;
    const first = this.#text.charAt(start);
    const isOpen = first === '{' || first === '[';
    const end = isOpen ? (this.#unitEnd ?? this.#text.length) : lineEnd(this.#text, start);
    const told = faults.length;
    const recovered =
      isOpen || first === '"'
        ? yield* recoverSteps(this.#text.slice(start, end), start, this.#notes)
        : undefined;
    if (!recovered || (faults.length > told && this.#isLineAmongOthers(start, end))) {
      faults.cut(told);
      tellForeign(this.#text, { start, end: lineEnd(this.#text, start) }, faults);
      this.#at = lineEnd(this.#text, start);
      return;
    }
    this.#push(recovered.value, start, start + recovered.end);
  }

  /** True for a line of a text of lines: what cannot be read of it is not mixed with what can. */
  #isLineAmongOthers(start: number, end: number): boolean {
    const text = this.#text;
    const isLine = skipBetween(text, lineEnd(text, start)) >= end;
    return isLine && (this.#hasValues || end < text.length);
  }
}

function tellForeign(text: string, { start, end }: Span, faults: FaultList): void {
  const message = `${quote(text.slice(start, end).trim())} is no whole JSON; the line is left out`;
  faults.push({ kind: 'dropped', span: { start, end }, message });
}

const BETWEEN = new Set([9, 10, 13, 32, 0x2c, 0xfeff]);

/** Passes over what may stand between values: blanks, commas of a list that they were taken from, a BOM. */
function skipBetween(text: string, start: number): number {
  let at = start;
  while (BETWEEN.has(text.charCodeAt(at))) at++;
  return at;
}

/** True where no further character of a word or a number follows. */
function endsValue(text: string, at: number): boolean {
  return !/[\p{L}\p{N}_.+$'-]/u.test(text.charAt(at)) || /["}\]]/.test(text.charAt(at - 1));
}

/**
 * Where what begins at an offset ends at the latest: before a line that begins with a bracket, which starts a new value.
 * In a list a line that follows a comma or the list's own bracket starts an item.
 */
function findUnitEnd(text: string, start: number): number {
  const isList = text.charAt(start) === '[';
  for (let at = lineEnd(text, start); at < text.length; at = lineEnd(text, at + 1)) {
    if (!/[{[]/.test(text.charAt(at + 1))) continue;
    if (!isList || !/[,[]/.test(lastBefore(text, at, start))) return at + 1;
  }
  return text.length;
}

/** The last character before an offset that is no blank. */
function lastBefore(text: string, from: number, start: number): string {
  let at = from - 1;
  while (at > start && /[ \t\r\n]/.test(text.charAt(at))) at--;
  return text.charAt(at);
}

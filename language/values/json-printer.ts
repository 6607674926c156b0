import type { DictValue, ListValue, Value } from '../../core/values/value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { isRoundedFloat, printFloat } from '../../core/text/exact-decimal.ts';
import { writeBigInt, writeKey, writeNonFinite, writeTensorNotation } from './notation.ts';
import { DEEPEST } from '../../core/text/json.ts';
import { PrintedKeys } from './printed-keys.ts';
import { TextSink, type Layout } from './text-layer.ts';

/** Maximum length of a list of numbers that is printed on one line. */
const LONGEST_ROW = 80;
/** Maximum number of indented levels. Without it the text would grow with the square of the depth. */
const DEEPEST_INDENT = 40;

/**
 * The notation of numbers. `notation`: integers beyond 2^53, which many readers round, in the notation of
 * docs/json-notation.md. `digits`: all integers as JSON integers. `exact`: also floats as they were written,
 * if a double represents them. `written`: all floats as they were written.
 */
type Numbers = 'notation' | 'digits' | 'exact' | 'written';

/**
 * Prints a value as JSON that `readJsonPieces` reads back to the same value. Values that JSON lacks use the
 * notation of docs/json-notation.md. `indent` is the indentation level of the lines after the first; a level
 * is two blanks. The places of all values are added to the sink's, if it collects them. No recursion: values
 * may be nested at any depth, but values too deep for `readJsonPieces` are reported as lost.
 */
export function printJson(
  value: Value,
  sink: TextSink,
  layout: Layout,
  indent = 0,
  report?: Report,
  numbers: Numbers = 'notation',
): void {
  const short = layout === 'compact' && !sink.places ? printCompact(value, DEEPEST, numbers) : undefined;
  if (short === undefined) new JsonPrinter(sink, layout, indent, report, numbers).print(value);
  else sink.write(short);
}

/**
 * Prints a value without blanks and places, the most frequent case; undefined if it is nested deeper than
 * `levels`.
 */
function printCompact(value: Value, levels: number, numbers: Numbers, long?: string[]): string | undefined {
  if (value.kind === 'text') return long ? printShort(value.text, long) : printText(value.text);
  if (value.kind !== 'dict' && value.kind !== 'list') return printAtom(value, 'compact', numbers);
  if (levels === 0) return undefined;
  let text = '';
  if (value.kind === 'list') {
    for (const item of value.items) {
      const inner = printCompact(item, levels - 1, numbers, long);
      if (inner === undefined) return undefined;
      text += text === '' ? inner : `,${inner}`;
    }
    return `[${text}]`;
  }
  for (const { key, value: member } of value.entries) {
    const inner = printCompact(member, levels - 1, numbers, long);
    if (inner === undefined) return undefined;
    const written = writeKey(value, key);
    const { first, next } = KEYS.find(written) ?? KEYS.add(written, `${printText(written)}:`);
    text += text === '' ? first : next;
    text += inner;
  }
  return text === '' ? '{}' : `${text}}`;
}

const KEYS = new PrintedKeys('{');

/** Prints a value as a compact text of its own. */
export function compactJson(value: Value, numbers: Numbers = 'notation'): string {
  const short = printCompact(value, DEEPEST, numbers);
  if (short !== undefined) return short;
  const sink = new TextSink();
  printJson(value, sink, 'compact', 0, undefined, numbers);
  return sink.toString();
}

const TOO_DEEP = `Values nest deeper than ${DEEPEST} levels, which Parley does not read; what lies deeper comes back as a text of JSON`;

/** A list or dictionary whose closing bracket has not been printed yet. */
interface Frame {
  readonly value: ListValue | DictValue;
  readonly start: number;
  index: number;
}

class JsonPrinter {
  readonly #sink: TextSink;
  readonly #layout: Layout;
  readonly #isPretty: boolean;
  readonly #colon: string;
  readonly #indent: number;
  readonly #frames: Frame[] = [];

  readonly #report: Report | undefined;
  readonly #numbers: Numbers;

  constructor(sink: TextSink, layout: Layout, indent: number, report: Report | undefined, numbers: Numbers) {
    this.#report = report;
    this.#numbers = numbers;
    this.#sink = sink;
    this.#layout = layout;
    this.#isPretty = layout === 'pretty';
    this.#colon = this.#isPretty ? ': ' : ':';
    this.#indent = indent;
  }

  print(value: Value): void {
    this.#begin(value, this.#sink.length);
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (frame.value.kind === 'list') this.#printItem(frame, frame.value);
      else this.#printEntry(frame, frame.value);
    }
  }

  #write(part: string): void {
    this.#sink.write(part);
  }

  #printItem(frame: Frame, { items }: ListValue): void {
    const item = items[frame.index];
    if (!item) return this.#close(frame, ']');
    this.#separate(frame);
    this.#begin(item, this.#sink.length);
  }

  #printEntry(frame: Frame, dict: DictValue): void {
    const entry = dict.entries[frame.index];
    if (!entry) return this.#close(frame, '}');
    this.#separate(frame);
    const start = this.#sink.length;
    this.#write(printText(writeKey(dict, entry.key)) + this.#colon);
    this.#begin(entry.value, start);
  }

  /** Prints the separator before an item. */
  #separate(frame: Frame): void {
    if (frame.index++ > 0) this.#write(',');
    if (this.#isPretty) this.#write(lineBreak(this.#indent + this.#frames.length));
  }

  #close({ value, start }: Frame, bracket: string): void {
    this.#frames.pop();
    if (this.#isPretty) this.#write(lineBreak(this.#indent + this.#frames.length));
    this.#write(bracket);
    this.#place(value, start);
  }

  /**
   * Prints an atom, or opens a list or dictionary. `start` is the start of the value's place, which is that
   * of its key if it has one.
   */
  #begin(value: Value, start: number): void {
    if (this.#frames.length === DEEPEST) this.#reportDeep(value);
    if (value.kind === 'dict' && value.entries.length > 0) this.#open({ value, start, index: 0 }, '{');
    else if (value.kind !== 'list' || value.items.length === 0) {
      this.#write(printAtom(value, this.#layout, this.#numbers));
      this.#place(value, start);
    } else if (!this.#isPretty || !this.#printRow(value, start)) this.#open({ value, start, index: 0 }, '[');
  }

  /** Reports a list or dictionary that is nested too deep for the reader. */
  #reportDeep(value: Value): void {
    if (value.kind !== 'list' && value.kind !== 'dict') return;
    const steps = this.#frames.map(({ value: around, index }) =>
      around.kind === 'list' ? index - 1 : (around.entries[index - 1]?.key ?? ''),
    );
    this.#report?.lose('moved', steps.reduce<string>(joinPath, ''), TOO_DEEP, value);
  }

  #open(frame: Frame, bracket: string): void {
    this.#write(bracket);
    this.#frames.push(frame);
  }

  /** Prints a short list of numbers on one line; false for any other list. */
  #printRow(list: ListValue, start: number): boolean {
    const texts: string[] = [];
    let length = 0;
    for (const item of list.items) {
      const text = printNumber(item, this.#numbers);
      if (text === undefined) return false;
      length += text.length + ', '.length;
      if (length > LONGEST_ROW) return false;
      texts.push(text);
    }
    this.#write('[');
    for (const [index, item] of list.items.entries()) {
      if (index > 0) this.#write(', ');
      const itemStart = this.#sink.length;
      this.#write(texts[index] ?? '');
      this.#place(item, itemStart);
    }
    this.#write(']');
    this.#place(list, start);
    return true;
  }

  #place(value: Value, start: number): void {
    this.#sink.places?.set(value, { start, end: this.#sink.length });
  }
}

function lineBreak(levels: number): string {
  return `\n${'  '.repeat(Math.min(levels, DEEPEST_INDENT))}`;
}

/** Prints a value without children. */
function printAtom(value: Value, layout: Layout, numbers: Numbers): string {
  switch (value.kind) {
    case 'text':
      return printText(value.text);
    case 'bool':
      return value.bool ? 'true' : 'false';
    case 'null':
      return 'null';
    case 'int':
      return printNumber(value, numbers) ?? printNotation(writeBigInt(value.int), layout);
    case 'float':
      return printNumber(value, numbers) ?? printNotation(writeNonFinite(value.float), layout);
    case 'tensor':
      return printNotation(writeTensorNotation(value.source), layout);
    case 'list':
      return '[]';
    case 'dict':
      return '{}';
  }
}

/** Prints a number that JSON has and that most readers preserve except for rounding; undefined for other values. */
function printNumber(value: Value, numbers: Numbers): string | undefined {
  if (value.kind === 'int')
    return numbers !== 'notation' || Number.isSafeInteger(Number(value.int)) ? String(value.int) : undefined;
  if (value.kind !== 'float') return undefined;
  if (value.literal !== undefined && isPrintedAsWritten(value.literal, value.float, numbers))
    return value.literal;
  return Number.isFinite(value.float) ? printFloat(value.float) : undefined;
}

function isPrintedAsWritten(literal: string, float: number, numbers: Numbers): boolean {
  return numbers === 'written' || (numbers === 'exact' && !isRoundedFloat(literal, float));
}

/** Prints a dictionary of the special notation on one line. */
function printNotation(dict: DictValue, layout: Layout): string {
  const [colon, comma] = layout === 'pretty' ? [': ', ', '] : [':', ','];
  const entries = dict.entries.map(({ key, value }) => `"${key}"${colon}${printInner(value, layout)}`);
  return layout === 'pretty' ? `{ ${entries.join(comma)} }` : `{${entries.join(comma)}}`;
}

function printInner(value: Value, layout: Layout): string {
  if (value.kind === 'dict') return printNotation(value, layout);
  if (value.kind !== 'list') return printAtom(value, layout, 'notation');
  return `[${value.items.map(item => printAtom(item, layout, 'notation')).join(layout === 'pretty' ? ', ' : ',')}]`;
}

/** Texts of up to this many characters are examined one by one, which is faster than a call of `JSON.stringify`. */
const FEW = 48;
const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_SURROGATE = 0xd800;

/** Prints a text with all JSON escapes, including lone surrogates, which UTF-8 cannot encode. */
function printText(text: string): string {
  if (text.length > FEW) return JSON.stringify(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= FIRST_SURROGATE)
      return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** The number of characters from which on a text is a part of its own. */
export const LONG_TEXT = 1 << 10;
/** The place of a long text. JSON has no control characters as they are, so it is nothing else. */
const PLACE = '\0';

/** Prints JSON in parts: a long text is one of its own, so that texts of megabytes are not joined with what is around them. */
export class PartPrinter {
  /** The text that was printed last, which events that follow each other often repeat. */
  #text = '';
  #parts: readonly string[] = [];

  /** Prints a value as `printForAgent` does. */
  print(value: Value): readonly string[] {
    const long: string[] = [];
    const frame = printCompact(value, DEEPEST, 'written', long);
    return frame === undefined ? [printForAgent(value)] : this.fill(frame, PLACE, long);
  }

  /** Puts long texts at their places in JSON. */
  fill(frame: string, place: string | RegExp, texts: readonly string[]): readonly string[] {
    const [first = '', ...others] = frame.split(place);
    return [first, ...others.flatMap((part, index) => [...this.#printText(texts[index] ?? ''), part])];
  }

  #printText(text: string): readonly string[] {
    if (text !== this.#text) {
      this.#text = text;
      this.#parts = isPlain(text) ? ['"', text, '"'] : [JSON.stringify(text)];
    }
    return this.#parts;
  }
}

/** Prints a text, or its place if it is long. */
function printShort(text: string, long: string[]): string {
  if (text.length < LONG_TEXT) return printText(text);
  long.push(text);
  return PLACE;
}

/** True for a text that JSON has as it is. Searching the frequent characters by themselves is faster. */
function isPlain(text: string): boolean {
  return (
    !text.includes('"') && !text.includes('\\') && !/[\0-\x1f]/.test(text) && !/\p{Surrogate}/u.test(text)
  );
}

/** A text unchanged; any other value as JSON with numbers as written. */
export function showValue(value: Value | undefined): string | undefined {
  if (value === undefined || value.kind === 'null') return undefined;
  return value.kind === 'text' ? value.text : compactJson(value, 'written');
}

/**
 * Prints a value as the JSON that an agent gets: in one line unless `layout` says otherwise, with all numbers
 * as they were written. Values that JSON lacks have the notation of docs/json-notation.md.
 */
export function printForAgent(value: Value, report?: Report, layout: Layout = 'compact'): string {
  const short = layout === 'compact' ? printCompact(value, DEEPEST, 'written') : undefined;
  if (short !== undefined) return short;
  const sink = new TextSink(undefined);
  printJson(value, sink, layout, 0, report, 'written');
  return sink.toString();
}

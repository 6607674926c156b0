import type { DictValue, ListValue, Value } from '../../core/values/value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { isRoundedFloat, printFloat } from './float-text.ts';
import { writeBigInt, writeKey, writeOddFloat, writeTensorNotation } from './notation.ts';
import { DEEPEST } from '../../core/text/depth.ts';
import { TextSink, type Layout } from './text-layer.ts';

/** A list of numbers up to so many characters stands on one line. */
const LONGEST_ROW = 80;
/** Deeper values are not indented further: the text would grow with the square of the depth. */
const DEEPEST_INDENT = 40;

/**
 * How numbers are printed. `notation`: integers beyond 2^53, which many readers round, as docs/json-notation.md says.
 * `digits`: all integers as JSON has them. `kept`: floats too as they were written, those that a double holds. `written`:
 * all floats as they were written.
 */
type Numbers = 'notation' | 'digits' | 'kept' | 'written';

/**
 * Prints a value as JSON that `readJsonPieces` reads back to the same value, whatever it is: what JSON has no value for
 * by the notation of docs/json-notation.md. `indent`: how many levels of two blanks the lines after the first stand in.
 * Places of all values in it go into the sink's, if it keeps them. No recursion: values may nest as deep as they like, but
 * what `readJsonPieces` does not go into is told.
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

/** A value without blanks and places, which is what most are printed as; undefined where it nests deeper than so many levels. */
function printCompact(value: Value, levels: number, numbers: Numbers): string | undefined {
  if (value.kind !== 'dict' && value.kind !== 'list') return printAtom(value, 'compact', numbers);
  if (levels === 0) return undefined;
  let text = '';
  if (value.kind === 'list') {
    for (const item of value.items) {
      const inner = printCompact(item, levels - 1, numbers);
      if (inner === undefined) return undefined;
      text += text === '' ? inner : `,${inner}`;
    }
    return `[${text}]`;
  }
  for (const { key, value: member } of value.entries) {
    const inner = printCompact(member, levels - 1, numbers);
    if (inner === undefined) return undefined;
    const { first, next } = printKey(writeKey(value, key));
    text += text === '' ? first : next;
    text += inner;
  }
  return `{${text}}`;
}

/** A key with its colon, as the first one of a dictionary and as another one. */
interface PrintedKey {
  readonly first: string;
  readonly next: string;
}

/** Messages have the same few keys again and again: what was printed of them once is kept, as far as it is little. */
const KEYS = new Map<string, PrintedKey>();
const MOST_KEYS = 500;
const LONGEST_KEY = 40;

function printKey(key: string): PrintedKey {
  const known = KEYS.get(key);
  if (known) return known;
  const first = `${printText(key)}:`;
  const printed = { first, next: `,${first}` };
  if (KEYS.size < MOST_KEYS && key.length <= LONGEST_KEY) KEYS.set(key, printed);
  return printed;
}

/** The same as a text of its own, without blanks. */
export function compactJson(value: Value, numbers: Numbers = 'notation'): string {
  const short = printCompact(value, DEEPEST, numbers);
  if (short !== undefined) return short;
  const sink = new TextSink();
  printJson(value, sink, 'compact', 0, undefined, numbers);
  return sink.toString();
}

const TOO_DEEP = `Values nest deeper than ${DEEPEST} levels, which Parley does not read; what lies deeper comes back as a text of JSON`;

/** A list or dictionary of which the closing bracket is not printed yet. */
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

  /** What stands before an item. */
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

  /** Prints an atom, or opens what holds others. `start`: where the value's place begins, at its key if it has one. */
  #begin(value: Value, start: number): void {
    if (this.#frames.length === DEEPEST) this.#tellDeep(value);
    if (value.kind === 'dict' && value.entries.length > 0) this.#open({ value, start, index: 0 }, '{');
    else if (value.kind !== 'list' || value.items.length === 0) {
      this.#write(printAtom(value, this.#layout, this.#numbers));
      this.#place(value, start);
    } else if (!this.#isPretty || !this.#printRow(value, start)) this.#open({ value, start, index: 0 }, '[');
  }

  /** Says that a list or dictionary stands where its reader goes no further. */
  #tellDeep(value: Value): void {
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

  /** Prints a short list of numbers on one line; false for any other. */
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

/** A value that holds no others, or an empty one. */
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
      return printNumber(value, numbers) ?? printNotation(writeOddFloat(value.float), layout);
    case 'tensor':
      return printNotation(writeTensorNotation(value.source), layout);
    case 'list':
      return '[]';
    case 'dict':
      return '{}';
  }
}

/** A number that JSON has and, but for digits, most readers keep; undefined for any other value. */
function printNumber(value: Value, numbers: Numbers): string | undefined {
  if (value.kind === 'int')
    return numbers !== 'notation' || Number.isSafeInteger(Number(value.int)) ? String(value.int) : undefined;
  if (value.kind !== 'float') return undefined;
  if (value.literal !== undefined && isPrintedAsWritten(value.literal, value.float, numbers))
    return value.literal;
  return Number.isFinite(value.float) ? printFloat(value.float) : undefined;
}

function isPrintedAsWritten(literal: string, float: number, numbers: Numbers): boolean {
  return numbers === 'written' || (numbers === 'kept' && !isRoundedFloat(literal, float));
}

/** The dictionary that stands for a value, on one line. */
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

/** A text with all that JSON escapes, also lone surrogates, which UTF-8 does not have. */
function printText(text: string): string {
  return JSON.stringify(text);
}

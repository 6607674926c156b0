import { escapeText } from '../aicl/escapes.ts';
import { unwrapPayload } from '../aicl/print.ts';
import { LINE_WIDTH } from '../aicl/layout.ts';
import { MAX_DEPTH } from '../aicl/scanner.ts';
import type { ValueKind } from '../../core/catalog/aicl.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { DEFAULT_FORMAT, indentAt, indentOf } from '../format.ts';
import {
  textValue,
  type DictValue,
  type IntValue,
  type ListValue,
  type Value,
} from '../../core/values/value.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import { checkBase85 } from '../../tensor/base85.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';
import { printFloat } from './float-text.ts';
import { writeBigInt, writeKey, writeNull, writeTensorNotation } from './notation.ts';
import { joinPath, NO_SURROGATE, type Report } from '../../core/message/report.ts';
import type { Layout, Places, TextSink } from './text-layer.ts';

/**
 * Prints a value as AICL (reading of LightAICL 3.1): `pretty` as the formatter lays it out. Reading it gives the same
 * value again, but for carriage returns and lone surrogates in texts, which AICL cannot send, and for what nests deeper
 * than it may. Linear.
 */
export function printAicl(value: Value, sink: TextSink, layout: Layout, report: Report): void {
  runAtOnce(printAiclSteps(value, sink, layout, report));
}

/** The same in slices, where it is laid out. */
export function* printAiclSteps(
  value: Value,
  sink: TextSink,
  layout: Layout,
  report: Report,
): Generator<undefined, void> {
  const printer = new Printer(sink, report);
  if (layout === 'compact') printer.compact(value);
  else yield* printer.prettySteps(value);
}

/** The type of the AICL value that a value is written as: what AICL has no type for is a dictionary of the notation. */
export function writtenKind(value: Value): ValueKind {
  return value.kind === 'null' || toNotation(value) ? 'dict' : value.kind;
}

/** A double as AICL writes it: `3.0`, `-0.0`, `nan`, `inf`. */
export function writeFloat(float: number): string {
  if (Number.isNaN(float)) return 'nan';
  if (!Number.isFinite(float)) return float > 0 ? 'inf' : '-inf';
  return printFloat(float);
}

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);
/** What would end a tensor, or be taken for its wrapping. */
const NOT_IN_TENSOR = /[[\]［］\s\ud800-\udfff]/;

/** What AICL has no type for, as a dictionary of the notation; undefined for all other values. */
function toNotation(value: Value): DictValue | undefined {
  switch (value.kind) {
    case 'null':
      return writeNull();
    case 'int':
      return isInt64(value) ? undefined : writeBigInt(value.int);
    case 'tensor':
      return NOT_IN_TENSOR.test(value.source) ? writeTensorNotation(value.source) : undefined;
    default:
      return undefined;
  }
}

function isInt64({ int }: IntValue): boolean {
  return typeof int === 'number' || (int >= INT_MIN && int <= INT_MAX);
}

/** How the keys of a dictionary are written: those of a notation as they are. */
type KeyOf = typeof writeKey;

function asIs(_dict: DictValue, key: string): string {
  return key;
}

const ESCAPED =
  'A text holds a bracket or a carriage return, written \\u005D or \\u000D; a receiver that knows the whitepaper alone shows these letters';
const TOO_DEEP = `Values nest deeper than ${MAX_DEPTH} levels, which AICL does not read; what lies deeper is kept as a text of AICL`;

/** What cannot stand in a text as it is. */
const SPECIAL = /[\]\r\ud800-\udfff]|\\u00/;
const LONE_SURROGATES = /\p{Surrogate}/gu;

const INDENT = indentOf(DEFAULT_FORMAT);
const PAYLOAD_WIDTH = DEFAULT_SETTINGS['aicl.format.payloadWidth'];
/** The brackets, the letter and the colon of a value. */
const AROUND = 4;

class Printer {
  readonly #sink: TextSink;
  readonly #report: Report;
  /** What is printed and not handed over yet, and where all of it begins in the text. */
  #out = '';
  #flushed = 0;
  readonly #start: number;
  #places: Places | undefined;
  readonly #meter = new SliceMeter();
  /** The keys and indexes that lead to the value that is being printed. */
  readonly #path: (string | number)[] = [];

  constructor(sink: TextSink, report: Report) {
    this.#sink = sink;
    this.#report = report;
    this.#start = sink.length;
    this.#places = sink.places;
  }

  compact(value: Value): void {
    this.#compact(value, 0);
    this.#finish(value);
  }

  /** A dictionary at the top, as a message is one, has a line for each entry. */
  *prettySteps(value: Value): Generator<undefined, void> {
    const notation = toNotation(value);
    if (notation) yield* this.#dictLines(notation, asIs, 0);
    else if (value.kind === 'dict') yield* this.#dictLines(value, writeKey, 0);
    else if (!this.#fitsLine(value, 0, 0)) yield* this.#lines(value, 0);
    this.#finish(value);
  }

  #finish(value: Value): void {
    this.#place(value, 0);
    this.#flush();
  }

  /** Characters printed so far. */
  get #at(): number {
    return this.#flushed + this.#out.length;
  }

  /** Hands over what is printed: the engine takes much memory for a long text that grows part by part. */
  #flush(): void {
    this.#sink.write(this.#out);
    this.#flushed += this.#out.length;
    this.#out = '';
  }

  /** `depth` lists and dictionaries hold the value. */
  #compact(value: Value, depth: number): void {
    const notation = toNotation(value);
    if (notation) this.#compactDict(notation, asIs, depth);
    else if (value.kind === 'dict') this.#compactDict(value, writeKey, depth);
    else if (value.kind === 'list') this.#compactList(value, depth);
    else this.#out += this.#atom(value);
  }

  #compactDict(dict: DictValue, keyOf: KeyOf, depth: number): void {
    if (isTooDeep(dict.entries, depth)) return this.#fold(dict, keyOf);
    this.#out += '[d:';
    let separator = '';
    for (const { key, value } of dict.entries) {
      this.#out += separator;
      const at = this.#at;
      this.#path.push(key);
      this.#out += this.#keyAtom(keyOf(dict, key));
      this.#compact(value, depth + 1);
      this.#path.pop();
      // What a notation is made of is no value of the message.
      if (keyOf === writeKey) this.#place(value, at);
      separator = ',';
    }
    this.#out += ']';
  }

  #compactList(list: ListValue, depth: number): void {
    if (isTooDeep(list.items, depth)) return this.#fold(list, writeKey);
    this.#out += '[l:';
    let index = 0;
    for (const item of list.items) {
      if (index > 0) this.#out += ',';
      const at = this.#at;
      this.#path.push(index++);
      this.#compact(item, depth + 1);
      this.#path.pop();
      this.#place(item, at);
    }
    this.#out += ']';
  }

  /** Prints a value that has no lines of its own; false for any other. `column` is where it starts on its line. */
  #fitsLine(value: Value, depth: number, column: number): boolean {
    const group = toNotation(value) ?? value;
    if (group.kind === 'tensor') this.#out += wrapTensor(group.source, depth);
    // What fits into its line has all in it on that line.
    else if ((group.kind !== 'dict' && group.kind !== 'list') || roomAfter(value, LINE_WIDTH - column) >= 0)
      this.#compact(value, depth);
    else return false;
    return true;
  }

  /** A list or dictionary that does not fit into one line. */
  *#lines(value: Value, depth: number): Generator<undefined, void> {
    const notation = toNotation(value);
    const group = notation ?? value;
    if (group.kind === 'list') yield* this.#listLines(group, depth);
    else if (group.kind === 'dict') yield* this.#dictLines(group, notation ? asIs : writeKey, depth);
  }

  /** A dictionary with a line for each entry. */
  *#dictLines(dict: DictValue, keyOf: KeyOf, depth: number): Generator<undefined, void> {
    if (isTooDeep(dict.entries, depth)) return this.#fold(dict, keyOf);
    const column = INDENT.width * (depth + 1);
    this.#out += '[d:';
    let separator = '';
    for (const { key, value } of dict.entries) {
      this.#out += separator + newLine(depth + 1);
      const at = this.#at;
      this.#path.push(key);
      this.#out += this.#keyAtom(keyOf(dict, key));
      if (!this.#fitsLine(value, depth + 1, column + this.#at - at)) yield* this.#lines(value, depth + 1);
      this.#path.pop();
      if (this.#meter.isPast(this.#at)) {
        this.#flush();
        yield;
      }
      if (keyOf === writeKey) this.#place(value, at);
      separator = ',';
    }
    this.#out += separator === '' ? ']' : `${newLine(depth)}]`;
  }

  *#listLines(list: ListValue, depth: number): Generator<undefined, void> {
    if (isTooDeep(list.items, depth)) return this.#fold(list, writeKey);
    this.#out += '[l:';
    let index = 0;
    for (const item of list.items) {
      this.#out += (index > 0 ? ',' : '') + newLine(depth + 1);
      const at = this.#at;
      this.#path.push(index++);
      if (!this.#fitsLine(item, depth + 1, INDENT.width * (depth + 1))) yield* this.#lines(item, depth + 1);
      this.#path.pop();
      if (this.#meter.isPast(this.#at)) {
        this.#flush();
        yield;
      }
      this.#place(item, at);
    }
    this.#out += index === 0 ? ']' : `${newLine(depth)}]`;
  }

  /** Keeps that a value stands from an offset of what is printed to its end. */
  #place(value: Value, at: number): void {
    this.#places?.set(value, { start: this.#start + at, end: this.#start + this.#at });
  }

  /** What no reader would go into becomes a text, which holds it as AICL writes it. */
  #fold(value: DictValue | ListValue, keyOf: KeyOf): void {
    this.#lose('moved', TOO_DEEP, value);
    const before = this.#out;
    const places = this.#places;
    this.#out = '';
    this.#places = undefined;
    if (value.kind === 'dict') this.#compactDict(value, keyOf, 0);
    else this.#compactList(value, 0);
    const folded = this.#out;
    this.#places = places;
    this.#out = before + this.#atom(textValue(folded));
  }

  /** A key with its colon. */
  #keyAtom(key: string): string {
    return `[s:${this.#text(key, undefined)}]:`;
  }

  #atom(value: Value): string {
    switch (value.kind) {
      case 'text':
        return `[s:${this.#text(value.text, value)}]`;
      case 'int':
        return `[i:${value.int}]`;
      case 'float':
        return `[f:${writeFloat(value.float)}]`;
      case 'bool':
        return `[b:${value.bool}]`;
      case 'tensor':
        return `[t:${value.source}]`;
      default:
        // Groups are no atoms.
        return '';
    }
  }

  /** A text as it is written. What it loses on the way is told. */
  #text(text: string, value: Value | undefined): string {
    if (!SPECIAL.test(text)) return text;
    const whole = text.replace(LONE_SURROGATES, '\ufffd');
    if (whole !== text) this.#lose('rounded', NO_SURROGATE, value);
    const escaped = escapeText(whole);
    if (escaped !== whole) this.#report.note(ESCAPED);
    return escaped;
  }

  /** A loss without a value is about the key that stands last in the path. */
  #lose(kind: 'rounded' | 'moved', message: string, value: Value | undefined): void {
    const told = value
      ? message
      : `In the key: ${message.replace(/^[A-Z](?![A-Z])/, first => first.toLowerCase())}`;
    this.#report.lose(kind, this.#path.reduce<string>(joinPath, ''), told, value);
  }
}

/** True for one whose children AICL would not read: it counts the outermost value as the first level. */
function isTooDeep(children: readonly unknown[], depth: number): boolean {
  return depth + 1 >= MAX_DEPTH && children.length > 0;
}

function newLine(depth: number): string {
  return `\n${indentAt(INDENT, depth)}`;
}

/** A payload that is longer than a line stands on lines of its own, one indent deeper; a broken one is left as it is. */
function wrapTensor(source: string, depth: number): string {
  const { payload } = splitTensor(source, 0, source.length) ?? {};
  if (!payload || payload.end - payload.start <= PAYLOAD_WIDTH) return `[t:${source}]`;
  const written = unwrapPayload(source.slice(payload.start, payload.end));
  if (checkBase85(written, 0, written.length).fault?.kind === 'character') return `[t:${source}]`;
  const lines = [source.slice(0, payload.start)];
  for (let at = 0; at < written.length; at += PAYLOAD_WIDTH)
    lines.push(written.slice(at, at + PAYLOAD_WIDTH));
  return `[t:${lines.join(newLine(depth + 1))}${newLine(depth)}]`;
}

/**
 * How much of the room on a line a value leaves; below 0 where it does not fit, which is known as soon as the room is
 * used up, so that measuring each value on the way down stays linear.
 */
function roomAfter(value: Value, room: number): number {
  const notation = toNotation(value);
  const group = notation ?? value;
  let left = room - AROUND;
  if (group.kind === 'list') {
    for (const item of group.items) {
      if (left < 0) return left;
      left = roomAfter(item, left) - 1;
    }
    return left;
  }
  if (group.kind !== 'dict') return left - atomWidth(group, left);
  const keyOf = notation ? asIs : writeKey;
  for (const { key, value } of group.entries) {
    if (left < 0) return left;
    left -= textWidth(keyOf(group, key), left) + AROUND + 1;
    left = roomAfter(value, left) - 1;
  }
  return left;
}

/** The characters of an atom on one line, without what is around it; Infinity where it does not fit. */
function atomWidth(value: Exclude<Value, DictValue | ListValue>, room: number): number {
  switch (value.kind) {
    case 'text':
      return textWidth(value.text, room);
    case 'int':
      return String(value.int).length;
    case 'float':
      return writeFloat(value.float).length;
    case 'bool':
      return value.bool ? 4 : 5;
    case 'tensor':
      return value.source.length;
    case 'null':
      // It is written as a dictionary.
      return Infinity;
  }
}

function textWidth(text: string, room: number): number {
  if (text.length > room || text.includes('\n')) return Infinity;
  return escapeText(text).length;
}

import { escapeText, unwrapPayload } from '../aicl/escapes.ts';
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
import { printFloat } from '../../core/text/exact-decimal.ts';
import { writeBigInt, writeKey, writeNull, writeTensorNotation } from './notation.ts';
import { joinPath, NO_SURROGATE, type Report } from '../../core/message/report.ts';
import type { Layout, Places, TextSink } from './text-layer.ts';

/**
 * Prints a value as AICL (reading of LightAICL 3.1); `pretty` uses the formatter's layout. Reading the result
 * gives the same value, except for carriage returns and lone surrogates in texts, which AICL cannot transmit,
 * and for values that are nested too deep. Linear.
 */
export function printAicl(value: Value, sink: TextSink, layout: Layout, report: Report): void {
  runAtOnce(printAiclSteps(value, sink, layout, report));
}

/** The same in slices; only the `pretty` layout yields. */
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

/**
 * The AICL type with which a value is written; values without an AICL type become dictionaries in a special
 * notation.
 */
export function writtenKind(value: Value): ValueKind {
  return value.kind === 'null' || toNotation(value) ? 'dict' : value.kind;
}

/** Prints a double in AICL notation: `3.0`, `-0.0`, `nan`, `inf`. */
export function writeFloat(float: number): string {
  if (Number.isNaN(float)) return 'nan';
  if (!Number.isFinite(float)) return float > 0 ? 'inf' : '-inf';
  return printFloat(float);
}

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);
/** Characters that would end a tensor or count as wrapping. */
const NOT_IN_TENSOR = /[[\]［］\s\ud800-\udfff]/;

/** Converts a value without an AICL type to a dictionary in the special notation; undefined for other values. */
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

/** How the keys of a dictionary are written; those of the special notation are not escaped. */
type KeyOf = typeof writeKey;

function asIs(_dict: DictValue, key: string): string {
  return key;
}

const ESCAPED =
  'A text holds a bracket or a carriage return, written \\u005D or \\u000D; a receiver that knows the whitepaper alone shows these letters';
const TOO_DEEP = `Values nest deeper than ${MAX_DEPTH} levels, which AICL does not read; what lies deeper is kept as a text of AICL`;

/** Characters that a text cannot contain literally. */
const SPECIAL = /[\]\r\ud800-\udfff]|\\u00/;
const LONE_SURROGATES = /\p{Surrogate}/gu;

const INDENT = indentOf(DEFAULT_FORMAT);
const PAYLOAD_WIDTH = DEFAULT_SETTINGS['aicl.format.payloadWidth'];
/** The number of characters around a value: brackets, type letter and colon. */
const AROUND = 4;

class Printer {
  readonly #sink: TextSink;
  readonly #report: Report;
  /**
   * Text not yet written to the sink, the number of characters already written, and the position of the
   * value's start in the sink.
   */
  #out = '';
  #flushed = 0;
  readonly #start: number;
  #places: Places | undefined;
  readonly #meter = new SliceMeter();
  /** The path of the value being printed. */
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

  /** A top-level dictionary, such as a message, gets one line per entry even if it is short. */
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

  /** The number of characters printed so far. */
  get #at(): number {
    return this.#flushed + this.#out.length;
  }

  /** Writes the pending text to the sink, because a long string that grows in parts takes much memory. */
  #flush(): void {
    this.#sink.write(this.#out);
    this.#flushed += this.#out.length;
    this.#out = '';
  }

  /** `depth` is the number of enclosing lists and dictionaries. */
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
      // The entries of the special notation are not values of the message.
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

  /** Prints a value that fits on one line, or a tensor; false for any other value. `column` is where it starts. */
  #fitsLine(value: Value, depth: number, column: number): boolean {
    const group = toNotation(value) ?? value;
    if (group.kind === 'tensor') this.#out += wrapTensor(group.source, depth);
    // If a value fits on the line, everything in it does.
    else if ((group.kind !== 'dict' && group.kind !== 'list') || widthAfter(value, LINE_WIDTH - column) >= 0)
      this.#compact(value, depth);
    else return false;
    return true;
  }

  /** Prints a list or dictionary that does not fit on one line. */
  *#lines(value: Value, depth: number): Generator<undefined, void> {
    const notation = toNotation(value);
    const group = notation ?? value;
    if (group.kind === 'list') yield* this.#listLines(group, depth);
    else if (group.kind === 'dict') yield* this.#dictLines(group, notation ? asIs : writeKey, depth);
  }

  /** Prints a dictionary with one line per entry. */
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

  /** Records that a value was printed from `at` to the current position. */
  #place(value: Value, at: number): void {
    this.#places?.set(value, { start: this.#start + at, end: this.#start + this.#at });
  }

  /** Prints a value that is nested too deep as a text that contains its AICL. */
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

  /** Prints a key with its colon. */
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
        // Lists and dictionaries are not atoms.
        return '';
    }
  }

  /** Escapes a text and reports what is lost. */
  #text(text: string, value: Value | undefined): string {
    if (!SPECIAL.test(text)) return text;
    const whole = text.replace(LONE_SURROGATES, '\ufffd');
    if (whole !== text) this.#lose('rounded', NO_SURROGATE, value);
    const escaped = escapeText(whole);
    if (escaped !== whole) this.#report.note(ESCAPED);
    return escaped;
  }

  /** Reports a loss. Without a value it concerns the last key of the path. */
  #lose(kind: 'rounded' | 'moved', message: string, value: Value | undefined): void {
    const reported = value
      ? message
      : `In the key: ${message.replace(/^[A-Z](?![A-Z])/, first => first.toLowerCase())}`;
    this.#report.lose(kind, this.#path.reduce<string>(joinPath, ''), reported, value);
  }
}

/** True for a group whose children would exceed AICL's maximum depth, in which the outermost value is level 1. */
function isTooDeep(children: readonly unknown[], depth: number): boolean {
  return depth + 1 >= MAX_DEPTH && children.length > 0;
}

function newLine(depth: number): string {
  return `\n${indentAt(INDENT, depth)}`;
}

/** Wraps a payload that is longer than a line, one level deeper; a broken one is left unchanged. */
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
 * The room that remains on a line after a value; negative if it does not fit. Stops as soon as the room is
 * used up, so that measuring each value on the way down stays linear.
 */
function widthAfter(value: Value, room: number): number {
  const notation = toNotation(value);
  const group = notation ?? value;
  let left = room - AROUND;
  if (group.kind === 'list') {
    for (const item of group.items) {
      if (left < 0) return left;
      left = widthAfter(item, left) - 1;
    }
    return left;
  }
  if (group.kind !== 'dict') return left - atomWidth(group, left);
  const keyOf = notation ? asIs : writeKey;
  for (const { key, value } of group.entries) {
    if (left < 0) return left;
    left -= textWidth(keyOf(group, key), left) + AROUND + 1;
    left = widthAfter(value, left) - 1;
  }
  return left;
}

/** The width of an atom's content on one line; Infinity if it does not fit. */
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
      // Null is written as a dictionary.
      return Infinity;
  }
}

function textWidth(text: string, room: number): number {
  if (text.length > room || text.includes('\n')) return Infinity;
  return escapeText(text).length;
}

import { escapeText, unwrapPayload } from '../aicl/escapes.ts';
import { LINE_WIDTH } from '../aicl/layout.ts';
import { MAX_DEPTH } from '../aicl/scanner.ts';
import { TYPE_TAGS, type ValueKind } from '../../core/catalog/aicl.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { DEFAULT_FORMAT, indentAt, indentOf } from '../format.ts';
import {
  textValue,
  type DictValue,
  type IntValue,
  type ListValue,
  type Value,
} from '../../core/values/value.ts';
import { SliceMeter } from '../../core/text/slices.ts';
import { checkBase85 } from '../../tensor/base85.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';
import { printFloat } from '../../core/text/exact-decimal.ts';
import { writeBigInt, writeKey, writeNull, writeTensorNotation } from './notation.ts';
import { joinPath, NO_SURROGATE, type Report } from '../../core/message/report.ts';
import { isPlainText } from './plain-text.ts';
import { PrintedKeys, type PrintedKey } from './printed-keys.ts';
import { TextSink, type Layout } from './text-layer.ts';

/**
 * Prints a value as AICL (reading of LightAICL 3.1); `pretty` uses the formatter's layout. Reading the result
 * gives the same value, except for carriage returns and lone surrogates in texts, which AICL cannot transmit,
 * and for values that are nested too deep. Linear.
 */
export function printAicl(value: Value, sink: TextSink, layout: Layout, report: Report): void {
  const short = layout === 'compact' && !sink.places ? printCompact(value, MAX_DEPTH - 1, report) : undefined;
  if (short === undefined) new Printer(sink, layout, report).print(value);
  else sink.write(short);
}

/**
 * Prints a value without blanks and places, the most frequent case; undefined if a part of it would be lost: one
 * deeper than `levels`, or half of a surrogate pair.
 */
function printCompact(value: Value, levels: number, report: Report): string | undefined {
  const group = toNotation(value) ?? value;
  if (group.kind === 'text') return printText(group.text, report);
  if (group.kind !== 'dict' && group.kind !== 'list') return `[${TAGS.get(group.kind)}:${contentOf(group)}]`;
  let text = '';
  if (group.kind === 'list') {
    if (levels === 0 && group.items.length > 0) return undefined;
    for (const item of group.items) {
      const inner = printCompact(item, levels - 1, report);
      if (inner === undefined) return undefined;
      text += text === '' ? inner : `,${inner}`;
    }
    return `[l:${text}]`;
  }
  if (levels === 0 && group.entries.length > 0) return undefined;
  for (const { key, value: member } of group.entries) {
    const inner = printCompact(member, levels - 1, report);
    const printed = printKey(group === value ? writeKey(group, key) : key, report);
    if (inner === undefined || !printed) return undefined;
    text += text === '' ? printed.first : printed.next;
    text += inner;
  }
  return text === '' ? '[d:]' : `${text}]`;
}

const KEYS = new PrintedKeys('[d:');

/** Prints a key; only plain ones are stored, because the escapes of others are reported each time. */
function printKey(key: string, report: Report): PrintedKey | undefined {
  const known = KEYS.find(key);
  if (known) return known;
  if (isPlainText(key)) return KEYS.add(key, `[s:${key}]:`);
  const printed = printText(key, report);
  return printed === undefined ? undefined : { first: `[d:${printed}:`, next: `,${printed}:` };
}

/** Prints a text without loss; undefined if it has half of a surrogate pair. */
function printText(text: string, report: Report): string | undefined {
  if (isPlainText(text)) return `[s:${text}]`;
  if (text.search(LONE_SURROGATES) >= 0) return undefined;
  const escaped = escapeText(text);
  if (escaped !== text) report.note(ESCAPED);
  return `[s:${escaped}]`;
}

/** The same in slices. */
export function* printAiclSteps(
  value: Value,
  sink: TextSink,
  layout: Layout,
  report: Report,
): Generator<undefined, void> {
  const printer = new Printer(sink, layout, report);
  printer.begin(value);
  while (!printer.advance()) yield;
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

const ESCAPED =
  'A text holds a bracket or a carriage return, written \\u005D or \\u000D; a receiver that knows the whitepaper alone shows these letters';
const TOO_DEEP = `Values nest deeper than ${MAX_DEPTH} levels, which AICL does not read; what lies deeper is written as a text of AICL`;

const LONE_SURROGATES = /\p{Surrogate}/gu;

const INDENT = indentOf(DEFAULT_FORMAT);
const PAYLOAD_WIDTH = DEFAULT_SETTINGS['aicl.format.payloadWidth'];
/** The number of characters around a value: brackets, type letter and colon. */
const AROUND = 4;

/** A list or dictionary whose closing bracket has not been printed yet. */
interface Frame {
  readonly group: DictValue | ListValue;
  /** The value of which the group is the notation, or the group itself. */
  readonly value: Value;
  /** True if each item or entry gets a line. */
  readonly isWide: boolean;
  /** The start of the value's place, which is that of its key if it has one. */
  readonly start: number;
  index: number;
}

class Printer {
  readonly #sink: TextSink;
  /** Text that is not yet written to the sink. */
  #out = '';
  readonly #isPretty: boolean;
  readonly #report: Report;
  /** The path of the value that this printer prints. */
  readonly #base: readonly (string | number)[];
  readonly #frames: Frame[] = [];
  readonly #meter = new SliceMeter();

  constructor(sink: TextSink, layout: Layout, report: Report, base: readonly (string | number)[] = []) {
    this.#sink = sink;
    this.#isPretty = layout === 'pretty';
    this.#report = report;
    this.#base = base;
  }

  /** The length of the text so far. */
  get #at(): number {
    return this.#sink.length + this.#out.length;
  }

  print(value: Value): void {
    this.begin(value);
    while (!this.advance());
  }

  /** Begins to print a value. */
  begin(value: Value): void {
    this.#meter.restart(this.#at);
    this.#begin(value, this.#at);
  }

  /** Prints to the end of a slice; true once the value is complete. */
  advance(): boolean {
    let frame = this.#frames.at(-1);
    while (frame) {
      if (frame.group.kind === 'list') this.#printItem(frame, frame.group);
      else this.#printEntry(frame, frame.group);
      frame = this.#frames.at(-1);
      if (this.#meter.isPast(this.#at)) break;
    }
    this.#sink.write(this.#out);
    this.#out = '';
    return !frame;
  }

  #printItem(frame: Frame, { items }: ListValue): void {
    const item = items[frame.index];
    if (!item) return this.#close(frame);
    this.#separate(frame);
    this.#begin(item, this.#at);
  }

  #printEntry(frame: Frame, dict: DictValue): void {
    const entry = dict.entries[frame.index];
    if (!entry) return this.#close(frame);
    this.#separate(frame);
    const start = this.#at;
    this.#out += this.#keyAtom(isNotation(frame) ? entry.key : writeKey(dict, entry.key));
    this.#begin(entry.value, start);
  }

  /** Prints the separator before an item. */
  #separate(frame: Frame): void {
    if (frame.index++ > 0) this.#out += ',';
    if (frame.isWide) this.#out += newLine(this.#frames.length);
  }

  #close(frame: Frame): void {
    this.#frames.pop();
    if (frame.isWide && frame.index > 0) this.#out += newLine(this.#frames.length);
    this.#out += ']';
    this.#place(frame.value, frame.start);
  }

  /** Prints an atom, or opens a list or dictionary. `start` is the start of the value's place. */
  #begin(value: Value, start: number): void {
    const depth = this.#frames.length;
    const mayBreak = this.#frames.at(-1)?.isWide ?? this.#isPretty;
    const group = toNotation(value) ?? value;
    if (group.kind !== 'dict' && group.kind !== 'list') {
      this.#out += mayBreak && group.kind === 'tensor' ? wrapTensor(group.source, depth) : this.#atom(group);
      this.#place(value, start);
    } else if (isTooDeep(group, depth)) {
      this.#out += this.#fold(value, group);
      this.#place(value, start);
    } else {
      const column = INDENT.width * depth + this.#at - start;
      // A top-level dictionary, such as a message, gets one line per entry even if it is short.
      const isWide =
        mayBreak && ((depth === 0 && group.kind === 'dict') || widthAfter(value, LINE_WIDTH - column) < 0);
      this.#out += group.kind === 'dict' ? '[d:' : '[l:';
      this.#frames.push({ group, value, isWide, start, index: 0 });
    }
  }

  /** Records that a value was printed from `start` on. The entries of the special notation are not values of the message. */
  #place(value: Value, start: number): void {
    const outer = this.#frames.at(-1);
    if (outer && isNotation(outer)) return;
    this.#sink.places?.set(value, { start, end: this.#at });
  }

  /** Prints a value that is nested too deep as a text that contains its AICL. */
  #fold(value: Value, group: DictValue | ListValue): string {
    this.#lose('moved', TOO_DEEP, group);
    const sink = new TextSink();
    new Printer(sink, 'compact', this.#report, this.#path).print(value);
    return this.#atom(textValue(sink.toString()));
  }

  /** Prints a key with its colon. */
  #keyAtom(key: string): string {
    return `[s:${this.#text(key, undefined)}]:`;
  }

  #atom(value: AtomValue): string {
    const content = value.kind === 'text' ? this.#text(value.text, value) : contentOf(value);
    return `[${TAGS.get(value.kind)}:${content}]`;
  }

  /** Escapes a text and reports what is lost. */
  #text(text: string, value: Value | undefined): string {
    if (isPlainText(text)) return text;
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

  /** The path of the value that is printed. */
  get #path(): readonly (string | number)[] {
    const steps = this.#frames.map(({ group, index }) =>
      group.kind === 'list' ? index - 1 : (group.entries[index - 1]?.key ?? ''),
    );
    return [...this.#base, ...steps];
  }
}

/** True for a group whose children would exceed AICL's maximum depth, in which the outermost value is level 1. */
function isTooDeep(group: DictValue | ListValue, depth: number): boolean {
  const children = group.kind === 'dict' ? group.entries : group.items;
  return depth + 1 >= MAX_DEPTH && children.length > 0;
}

/** True if the group is the notation of a value that AICL lacks. Its keys are not escaped. */
function isNotation({ group, value }: Frame): boolean {
  return group !== value;
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
  for (const { key, value } of group.entries) {
    if (left < 0) return left;
    left -= textWidth(notation ? key : writeKey(group, key), left) + AROUND + 1;
    left = widthAfter(value, left) - 1;
  }
  return left;
}

type AtomValue = Exclude<Value, DictValue | ListValue>;

const TAGS: ReadonlyMap<Value['kind'], string> = new Map(TYPE_TAGS.map(({ name, tag }) => [name, tag]));

/** The content of an atom, without escapes. Null is no atom: it is written as a dictionary. */
function contentOf(value: AtomValue): string {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'float':
      return writeFloat(value.float);
    case 'tensor':
      return value.source;
    case 'null':
      return '';
    default:
      return String(value.kind === 'int' ? value.int : value.bool);
  }
}

/** The width of an atom's content on one line; Infinity if it does not fit. */
function atomWidth(value: AtomValue, room: number): number {
  return value.kind === 'text' ? textWidth(value.text, room) : contentOf(value).length;
}

function textWidth(text: string, room: number): number {
  if (text.length > room || text.includes('\n')) return Infinity;
  return escapeText(text).length;
}

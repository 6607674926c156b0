import { fitArray } from '../fit-array.ts';
import { closeOpen, jsonTreeSteps, type JsonMember, type JsonValue } from '../json/json-tree.ts';
import { boolValue, NULL, textValue, type Entry, type Value } from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { DEEPEST, isEscaped } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { DEEP_MESSAGE, twinMessage } from './fault-list.ts';
import { TextSink } from './text-layer.ts';
import { DictBuilder } from './dict-builder.ts';
import { JsonValueReader, type JsonNotes } from './json-value-reader.ts';
import { readNotation } from './notation.ts';

/** The readable part of broken JSON. */
export interface Recovered {
  readonly value: Value;
  /** The offset after the value. */
  readonly end: number;
}

/**
 * Reads a value of broken JSON at the start of a text, using the tree of the editor features. Missing and
 * trailing commas, missing colons and stray brackets lose nothing. Incomplete JSON is read as far as it goes,
 * and a fault names the missing brackets.
 */
export function* recoverSteps(
  text: string,
  base: number,
  notes: JsonNotes,
): Generator<undefined, Recovered | undefined> {
  const tree = yield* jsonTreeSteps(text);
  const { root } = tree;
  if (!root) return undefined;
  const reader = new TreeReader(text, base, notes);
  const value = yield* reader.read(root, 0);
  const brackets = closeOpen(tree);
  const closers = reader.isCutInText && !brackets.startsWith('"') ? `"${brackets}` : brackets;
  if (closers !== '') {
    const span = { start: base + root.start, end: base + text.trimEnd().length };
    const message = cutMessage(closers, closers.length + Math.max(0, tree.openTooDeep - 1));
    notes.faults.push({ kind: 'dropped', span, message });
  }
  return { value, end: root.end };
}

/** Maximum number of brackets named in a message. */
const MAX_CLOSERS = 20;

function cutMessage(closers: string, count: number): string {
  const missing = count > MAX_CLOSERS ? `${count} closing brackets` : `the closing ${quote(closers)}`;
  return `The text ends before ${missing}; what is there is read, and what is missing is not known`;
}

/** Words of other languages, such as Python and JavaScript. */
const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', boolValue(true)],
  ['False', boolValue(false)],
  ['None', NULL],
  ['undefined', NULL],
]);

class TreeReader {
  readonly #text: string;
  readonly #base: number;
  readonly #notes: JsonNotes;
  readonly #whole: JsonValueReader;
  readonly #shared = new SharedAtoms();
  readonly #meter = new SliceMeter();
  /** True if the text ended within a string. */
  isCutInText = false;

  constructor(text: string, base: number, notes: JsonNotes) {
    this.#text = text;
    this.#base = base;
    this.#notes = notes;
    this.#whole = new JsonValueReader(text, base, notes);
  }

  /** `depth` is the number of enclosing lists and dictionaries. */
  *read(node: JsonValue, depth: number): Generator<undefined, Value> {
    if (node.kind !== 'array' && node.kind !== 'object') return this.#readAtom(node);
    if (depth >= DEEPEST) return this.#keep(node, DEEP_MESSAGE);
    return yield* node.kind === 'array' ? this.#readList(node, depth + 1) : this.#readDict(node, depth + 1);
  }

  #readAtom(node: JsonValue): Value {
    return node.kind === 'string' ? textValue(this.#unescape(node)) : this.#readWord(node);
  }

  *#readList(node: JsonValue, depth: number): Generator<undefined, Value> {
    const items: Value[] = [];
    for (const member of node.members) {
      if (!member.value) continue;
      const value = yield* this.read(member.value, depth);
      if (this.#meter.isPast(member.end)) yield;
      items.push(this.#settle(value, member));
    }
    return { kind: 'list', items: fitArray(items) };
  }

  *#readDict(node: JsonValue, depth: number): Generator<undefined, Value> {
    const entries = new DictBuilder();
    for (const member of node.members) {
      const entry = yield* this.#readEntry(member, depth);
      if (this.#meter.isPast(member.end)) yield;
      if (entry && entries.set(entry.key, entry.value))
        this.#report('dropped', member, twinMessage(entry.key));
    }
    return readNotation(entries.finish());
  }

  *#readEntry(member: JsonMember, depth: number): Generator<undefined, Entry | undefined> {
    const { key, value: node } = member;
    if (!node || !key) {
      const source = quote(this.#source(member));
      this.#report(
        'dropped',
        member,
        node ? `The value ${source} has no key` : `The key ${source} has no value`,
      );
      return undefined;
    }
    const value = yield* this.read(node, depth);
    return { key: this.#readKey(key), value: this.#settle(value, member) };
  }

  /** The text of a key with double, single, or no quotation marks. */
  #readKey(key: Span): string {
    const source = this.#source(key);
    if (source.startsWith('"')) return this.#unescape(key);
    return /^'.*'$/s.test(source) ? source.slice(1, -1) : source;
  }

  /** A number or word; one that JSON does not define is read as a text. */
  #readWord(node: JsonValue): Value {
    const source = this.#source(node);
    const reported = this.#notes.faults.length;
    const value = this.#whole.read(this.#base + node.start);
    if (value && this.#whole.end === this.#base + node.end) return value;
    this.#notes.faults.cut(reported);
    const word = WORDS.get(source);
    if (word) return { ...word };
    if (/^'.*'$/s.test(source) && source.length > 1) return textValue(source.slice(1, -1));
    return this.#keep(node, `${quote(source)} is not a JSON value; it is read as a text`);
  }

  /** Returns the source of a value as a text. */
  #keep(node: Span, message: string): Value {
    this.#report('moved', node, message);
    return textValue(this.#source(node));
  }

  /** Decodes a string that may be incomplete and contain any character; invalid escapes are preserved as written. */
  #unescape(span: Span): string {
    const source = this.#source(span);
    const isWhole = source.length > 1 && source.endsWith('"') && !isEscaped(source, source.length - 1);
    if (!isWhole) this.isCutInText = true;
    const inner = source.slice(1, isWhole ? -1 : undefined);
    const sink = new TextSink();
    let from = 0;
    // Decodes one escape at a time, because a text may have a million of them.
    for (let at = inner.indexOf('\\'); at >= 0 && at + 1 < inner.length; at = inner.indexOf('\\', from)) {
      sink.write(inner.slice(from, at));
      const code = CODE.exec(inner.slice(at, at + 6))?.[1];
      const escape = inner.slice(at, at + (code ? 6 : 2));
      const meant = code ? String.fromCharCode(parseInt(code, 16)) : ESCAPES.get(escape.charAt(1));
      if (meant === undefined)
        this.#report('moved', span, `${quote(escape)} is not a JSON escape; both characters are read`);
      sink.write(meant ?? escape);
      from = at + escape.length;
    }
    return from === 0 ? inner : sink.toString() + inner.slice(from);
  }

  #source({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  /** Records the place of a value, or shares equal values if no places are collected. */
  #settle(value: Value, { start, end }: Span): Value {
    const { places } = this.#notes;
    places?.set(value, { start: this.#base + start, end: this.#base + end });
    return places ? value : this.#shared.share(value);
  }

  #report(kind: 'dropped' | 'moved', { start, end }: Span, message: string): void {
    const span = { start: this.#base + start, end: this.#base + end };
    this.#notes.faults.push({ kind, span, message });
  }
}

/** A character escape by code. */
const CODE = /^\\u([0-9a-fA-F]{4})/;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

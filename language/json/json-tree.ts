import { parseJson, DEEPEST } from '../../core/text/json.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { scanJson, type JsonFault, type JsonFaultKind, type JsonToken } from './json-scanner.ts';

/*
 * Our own parser, because that of the JSON language service is recursive, holds numbers as doubles, cannot be
 * run in slices, and does not say what is open at the end, which fixes and recovery of cut replies need.
 */

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

/** A value of a JSON text, with its span. */
export interface JsonValue extends Span {
  readonly kind: JsonKind;
  /** The members of an object or items of an array; empty for other values. */
  readonly members: readonly JsonMember[];
  /** False for an object, array or string without an end. */
  readonly isClosed: boolean;
}

/** A member of an object or an item of an array; it may be incomplete. */
export interface JsonMember extends Span {
  /** The span of the name, including quotation marks; undefined in an array. */
  readonly key: Span | undefined;
  readonly value: JsonValue | undefined;
}

/** The result of parsing a text as JSON. */
export interface JsonTree {
  /** Undefined for a text without a value. */
  readonly root: JsonValue | undefined;
  /** The first fault; undefined for valid JSON. */
  readonly fault: JsonFault | undefined;
  /** The number of brackets that are nested too deep and not closed at the end of the text. */
  readonly openTooDeep: number;
}

/**
 * Parses a text as one JSON value (RFC 8259). Never fails: missing or extra parts are left out of the tree,
 * and the first one is reported as `fault`. One pass without recursion. For an object or array that is nested
 * too deep the tree has only its span; its content is not checked.
 */
export function readJson(text: string): JsonTree {
  return runAtOnce(jsonTreeSteps(text));
}

/** The same in slices, for scheduling. */
export function* jsonTreeSteps(text: string): Generator<undefined, JsonTree> {
  const builder = new JsonBuilder(text.length);
  const meter = new SliceMeter();
  for (const token of scanJson(text)) {
    builder.add(token);
    if (builder.isDone) break;
    if (meter.isPast(token.end)) yield;
  }
  return { root: builder.root, fault: builder.fault, openTooDeep: builder.openTooDeep };
}

/** The decoded text of a string or key; an invalid one is returned as written. */
export function readJsonString(text: string, { start, end }: Span): string {
  const source = text.slice(start, end);
  const inner = source.replace(/^"|"$/g, '');
  if (!source.includes('\\')) return inner;
  const value = parseJson(source);
  return typeof value === 'string' ? value : inner;
}

/** An object or array that is not closed yet. */
interface Frame {
  readonly value: MutableValue;
  readonly closer: '}' | ']';
  readonly opener: Span;
  /** What may come next; at `item` the closing bracket is also possible. */
  expects: 'first item' | 'item' | 'colon' | 'value' | 'comma';
  /** The comma before an item that has not been read yet. */
  comma: Span | undefined;
}

/** Shared by values without members; never modified. */
const NO_MEMBERS: (MutableMember | MutableValue)[] = [];

/** A value. In an array it is its own member to save memory, because a hostile text has millions of items. */
class MutableValue implements JsonValue {
  readonly kind: JsonKind;
  readonly start: number;
  end: number;
  isClosed: boolean;
  members = NO_MEMBERS;

  constructor(kind: JsonKind, { start, end, fault }: JsonToken) {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.isClosed = fault?.kind !== 'open string';
  }

  get key(): undefined {
    return undefined;
  }

  get value(): this {
    return this;
  }

  /** Appends a member. */
  add(member: MutableMember | MutableValue): void {
    if (this.members === NO_MEMBERS) this.members = [member];
    else this.members.push(member);
  }
}

interface MutableMember extends JsonMember {
  end: number;
  value: MutableValue | undefined;
}

const CLOSERS = { object: '}', array: ']' } as const;
const SCALARS = { string: 'string', number: 'number', word: 'word' } as const;

/** Builds a tree from tokens that are added in order. */
export class JsonBuilder {
  root: MutableValue | undefined;
  fault: JsonFault | undefined;
  /** True after the value; later tokens are ignored. */
  isDone = false;
  /** The open objects and arrays, from outer to inner. */
  readonly frames: Frame[] = [];
  /** The number of open brackets from the first one that is nested too deep. */
  openTooDeep = 0;
  readonly #length: number;
  /** The number of open brackets by closing bracket. */
  readonly #openCounts = { '}': 0, ']': 0 };
  #last: Span = { start: 0, end: 0 };

  constructor(length: number) {
    this.#length = length;
  }

  add(token: JsonToken): void {
    const { kind } = token;
    if (this.root && this.frames.length === 0) {
      if (kind !== 'end') this.#fail('rest', { start: token.start, end: this.#length });
      this.isDone = true;
      return;
    }
    if (this.openTooDeep > 0 && kind !== 'end') {
      this.#skipTooDeep(token);
      return;
    }
    if (kind === 'end') this.#finish(token);
    else if (kind === ',') this.#addComma(token);
    else if (kind === ':') this.#addColon(token);
    else if (kind === '}' || kind === ']') this.#close(token, kind);
    else if (kind === '{' || kind === '[') this.#openBracket(token, kind === '{' ? 'object' : 'array');
    else this.#addScalar(token, SCALARS[kind]);
    this.#last = token;
  }

  #addScalar(token: JsonToken, kind: 'string' | 'number' | 'word'): void {
    const frame = this.frames.at(-1);
    if (frame) this.#begin(frame, token);
    if (frame?.closer === '}' && frame.expects !== 'value' && frame.expects !== 'colon') {
      if (kind !== 'string') this.#fail('missing key', token);
      const { start, end } = token;
      frame.value.add({ start, end, key: { start, end }, value: undefined });
      frame.expects = 'colon';
    } else this.#place(frame, token, kind);
    if (token.fault) this.#fail(token.fault.kind, token.fault.span);
  }

  #openBracket(token: JsonToken, kind: 'object' | 'array'): void {
    const frame = this.frames.at(-1);
    if (frame) this.#begin(frame, token);
    if (frame?.closer === '}' && frame.expects !== 'value' && frame.expects !== 'colon')
      this.#fail('missing key', token);
    const value = this.#place(frame, token, kind);
    value.isClosed = false;
    if (this.frames.length >= DEEPEST) {
      this.openTooDeep = 1;
      return;
    }
    const closer = CLOSERS[kind];
    this.#openCounts[closer]++;
    const { start, end } = token;
    this.frames.push({ value, closer, opener: { start, end }, expects: 'first item', comma: undefined });
  }

  /** Skips a token inside a value that is nested too deep, and closes the value at its last bracket. */
  #skipTooDeep({ kind, end }: JsonToken): void {
    if (kind === '{' || kind === '[') this.openTooDeep++;
    if ((kind !== '}' && kind !== ']') || --this.openTooDeep > 0) return;
    const member = this.frames.at(-1)?.value.members.at(-1);
    if (!member?.value) return;
    member.end = end;
    member.value.end = end;
    member.value.isClosed = true;
  }

  /** Before an item: reports a missing comma or colon. */
  #begin(frame: Frame, token: JsonToken): void {
    if (frame.expects === 'comma') this.#fail('missing comma', token);
    if (frame.expects === 'colon') this.#fail('missing colon', token);
    if (frame.expects === 'comma') frame.expects = 'item';
  }

  #place(frame: Frame | undefined, token: JsonToken, kind: JsonKind): MutableValue {
    const value = new MutableValue(kind, token);
    const member = frame?.value.members.at(-1);
    if (!frame) this.root = value;
    else if (
      member &&
      !(member instanceof MutableValue) &&
      (frame.expects === 'value' || frame.expects === 'colon')
    ) {
      member.value = value;
      member.end = token.end;
    } else frame.value.add(value);
    if (frame) frame.expects = 'comma';
    return value;
  }

  #addComma(token: JsonToken): void {
    const frame = this.frames.at(-1);
    this.#expectEnd(frame, token);
    if (!frame) return;
    if (frame.expects === 'first item' || frame.expects === 'item')
      this.#fail(frame.closer === '}' ? 'missing key' : 'missing value', token);
    frame.expects = 'item';
    frame.comma = { start: token.start, end: token.end };
  }

  #addColon(token: JsonToken): void {
    const frame = this.frames.at(-1);
    if (frame?.expects === 'colon') {
      frame.expects = 'value';
      const member = frame.value.members.at(-1);
      if (member) member.end = token.end;
    } else if (frame?.closer === '}' && frame.expects !== 'value' && frame.expects !== 'comma') {
      this.#fail('missing key', token);
    } else this.#fail('stray colon', token);
  }

  #close(token: JsonToken, closer: '}' | ']'): void {
    if (this.#openCounts[closer] === 0) {
      this.#fail('stray bracket', token);
      return;
    }
    while (this.frames.at(-1)?.closer !== closer) {
      const inner = this.#pop(token.start);
      if (inner) this.#fail('open bracket', token, inner.opener);
    }
    const frame = this.frames.at(-1);
    this.#expectEnd(frame, token);
    if (frame?.expects === 'item' && frame.comma) this.#fail('trailing comma', frame.comma);
    this.#pop(token.end);
    if (frame) frame.value.isClosed = true;
  }

  /** At the end of an item: reports a missing value or colon. */
  #expectEnd(frame: Frame | undefined, token: JsonToken): void {
    if (!frame || frame.expects === 'value') this.#fail('missing value', token);
    else if (frame.expects === 'colon') this.#fail('missing colon', token);
  }

  #finish(token: JsonToken): void {
    const frame = this.frames.at(-1);
    const last = frame?.value.members.at(-1)?.value;
    if (this.openTooDeep > 0 && last) last.end = this.#length;
    if (frame) this.#fail('open bracket', this.#last, frame.opener);
    else this.#fail('missing value', token);
    while (this.#pop(this.#length));
    this.isDone = true;
  }

  /** Closes the innermost object or array at offset `end`. */
  #pop(end: number): Frame | undefined {
    const frame = this.frames.pop();
    if (!frame) return undefined;
    this.#openCounts[frame.closer]--;
    frame.value.end = end;
    const member = this.frames.at(-1)?.value.members.at(-1);
    if (member) member.end = end;
    return frame;
  }

  #fail(kind: JsonFaultKind, { start, end }: Span, opener?: Span): void {
    this.fault ??= { kind, span: { start, end }, opener };
  }
}

/** The brackets and quotation mark that close everything that is open at the end of a text. */
export function closeOpen({ root }: JsonTree): string {
  const closers: string[] = [];
  for (let value = root; value && !value.isClosed; value = value.members.at(-1)?.value)
    closers.push(value.kind === 'object' ? '}' : value.kind === 'array' ? ']' : '"');
  return closers.toReversed().join('');
}

import { floatValue, intValue, textValue, type Value } from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { parseJson, DEEPEST, findQuote } from '../../core/text/json.ts';
import { SliceMeter } from '../../core/text/slices.ts';
import { isRoundedFloat, isWrittenOtherwise } from '../../core/text/exact-decimal.ts';
import { DEEP_MESSAGE, longIntMessage, roundedMessage, twinMessage, type FaultList } from './fault-list.ts';
import { LONGEST_INT, readNotation } from './notation.ts';
import { DictBuilder } from './dict-builder.ts';
import { findPlainEnd, Leniency, measureGroup } from './json-ends.ts';
import type { Places, TextFault } from './text-layer.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const UPPER_E = 69;
const UPPER_I = 73;
const UPPER_N = 78;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Integers with up to this many digits are exact in a double. */
const SAFE_DIGITS = 15;
/** By their exponent, those that are safe. */
const POWERS_OF_TEN = Array.from({ length: SAFE_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`));
/** Smaller floats may be printed with an exponent. */
const LEAST_PLAIN = 1e-5;
/** What follows the integer of a float: a point with digits, an exponent, or both. */
const FRACTION = /\.[0-9]+(?![0-9eE])|(?:\.[0-9]+)?[eE][+-]?[0-9]+/y;
/** The number of levels in the notation of an atom: `{"$tensor": {"shape": [2]}}`. */
const NOTATION_LEVELS = 3;
/** The start of a dictionary that may be the notation of an atom. */
const NOTATION = /^\{[ \t\r\n]*"\$/;

/** The length of a text in characters from which its equal values are shared, to save memory. */
const LEAST_SHARED = 1 << 14;

/** Faults and places that reading a value adds to. */
export interface JsonNotes {
  readonly faults: FaultList;
  readonly places: Places | undefined;
}

/** A list or dictionary that is not closed yet. */
class OpenGroup {
  readonly outer: OpenGroup | undefined;
  /** The number of open groups, including this one. */
  readonly depth: number;
  /** The group within this one that was open last; it is used again for the next one. */
  inner: OpenGroup | undefined;
  closer = CLOSE_BRACKET;
  /** The items of a list are the first `count` of these. */
  readonly items: Value[] = [];
  count = 0;
  /** The entries of a dictionary. */
  readonly entries = new DictBuilder();
  /** The start of the current item or entry. */
  start = 0;
  /** The key of the current entry. */
  key = '';
  keyEnd = 0;

  constructor(outer: OpenGroup | undefined) {
    this.outer = outer;
    this.depth = outer ? outer.depth + 1 : 1;
  }
}

/**
 * Reads valid JSON values exactly in one pass: integers of any size, keys in order, and also `NaN`,
 * `Infinity` and `-Infinity`, which Python writes. Stops at other text, which `json-recovery.ts` reads.
 * Has no recursion, so that it can pause anywhere: open lists and dictionaries are linked from inner to outer.
 */
export class JsonValueReader {
  readonly leniency = new Leniency();
  readonly #text: string;
  /** The offset of the text in the whole text, to which all other offsets of public members refer. */
  readonly #base: number;
  #at = 0;
  readonly #faults: FaultList;
  readonly #places: Places | undefined;
  readonly #shared: SharedAtoms | undefined;
  readonly #meter = new SliceMeter();
  #outermost = new OpenGroup(undefined);
  /** The innermost open group. */
  #group: OpenGroup | undefined;
  /** The last value that is complete. */
  #value: Value | undefined;
  /** The number of faults before the current value. */
  #reported = 0;

  constructor(text: string, base: number, { faults, places }: JsonNotes) {
    this.#text = text;
    this.#base = base;
    this.#faults = faults;
    this.#places = places;
    this.#shared = places || text.length < LEAST_SHARED ? undefined : new SharedAtoms();
  }

  /** The end of the last value. */
  get end(): number {
    return this.#base + this.#at;
  }

  /** The value at an offset, which is not before those read earlier; undefined if it is missing or invalid. */
  read(start: number): Value | undefined {
    this.begin(start);
    while (!this.advance());
    return this.value;
  }

  /** The same in slices. */
  *readSteps(start: number): Generator<undefined, Value | undefined> {
    this.begin(start);
    while (!this.advance()) yield;
    return this.value;
  }

  /** Begins to read the value at an offset, after any blanks. */
  begin(start: number): void {
    this.#reported = this.#faults.length;
    this.#at = start - this.#base;
    this.#next();
    this.#meter.restart(this.#at);
    this.#value = this.#readFirst();
  }

  /** Reads to the end of a slice; true once the value is complete or invalid. */
  advance(): boolean {
    if (this.#value && this.#group) this.#value = this.#readSlice(this.#value);
    if (this.#value) return !this.#group;
    this.#faults.cut(this.#reported);
    // What the open groups contain belongs to no later value.
    this.#group = undefined;
    this.#outermost = new OpenGroup(undefined);
    return true;
  }

  /** The value that was read; undefined if it is missing or invalid. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** True if only blanks follow the last value. */
  get isAtEnd(): boolean {
    return Number.isNaN(this.#next());
  }

  /** Reads values up to the end of the slice; returns the last one that is complete. */
  #readSlice(first: Value): Value | undefined {
    let value: Value | undefined = first;
    do {
      const group = this.#group;
      if (!group) return value;
      this.#add(group, value);
      const code = this.#next();
      if (code === group.closer) value = this.#close(group);
      else if (code !== COMMA) return undefined;
      else {
        this.#at++;
        this.#next();
        value = this.#beginItem(group) ? this.#readFirst() : undefined;
      }
    } while (value && !this.#meter.isPast(this.#at));
    return value;
  }

  /** Opens groups up to the first value that is complete: an atom or an empty group. */
  #readFirst(): Value | undefined {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== OPEN_BRACE && code !== OPEN_BRACKET) return this.#readAtom();
      const outer: OpenGroup | undefined = this.#group;
      if (outer?.depth === DEEPEST) return this.#readTooDeep();
      const group = outer ? (outer.inner ??= new OpenGroup(outer)) : this.#outermost;
      group.closer = code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      this.#group = group;
      this.#at++;
      if (this.#next() === group.closer) return this.#close(group);
      if (!this.#beginItem(group)) return undefined;
    }
  }

  /** Begins an item, or reads the key of an entry; false if there is none. */
  #beginItem(group: OpenGroup): boolean {
    group.start = this.#at;
    if (group.closer === CLOSE_BRACKET) return true;
    const key = this.#text.charCodeAt(this.#at) === QUOTE ? this.#readText() : undefined;
    if (key === undefined || this.#next() !== COLON) return false;
    group.key = key;
    group.keyEnd = this.#at;
    this.#at++;
    this.#next();
    return true;
  }

  /** Adds a value to a group: with its place, or shared with equal values if no places are collected. */
  #add(group: OpenGroup, value: Value): void {
    const { start, key, keyEnd } = group;
    this.#places?.set(value, { start: this.#base + start, end: this.#base + this.#at });
    const shared = this.#shared ? this.#shared.share(value) : value;
    if (group.closer === CLOSE_BRACKET) group.items[group.count++] = shared;
    else if (group.entries.set(key, shared)) this.#report('dropped', start, keyEnd, twinMessage(key));
  }

  #close(group: OpenGroup): Value {
    this.#at++;
    this.#group = group.outer;
    if (group.closer === CLOSE_BRACE) return readNotation(group.entries.finish());
    const items = group.items.slice(0, group.count);
    group.count = 0;
    return { kind: 'list', items };
  }

  /** A list or dictionary that is nested too deep becomes a text, unless it is the notation of an atom. */
  #readTooDeep(): Value | undefined {
    const start = this.#at;
    const { end, levels } = measureGroup(this.#text, start);
    if (end === undefined) return undefined;
    this.#at = end;
    const source = this.#text.slice(start, end);
    if (levels <= NOTATION_LEVELS && NOTATION.test(source)) {
      const reported = this.#faults.length;
      const notes = { faults: this.#faults, places: this.#places };
      const reader = new JsonValueReader(source, this.#base + start, notes);
      const value = reader.read(this.#base + start);
      if (value && value.kind !== 'dict') {
        if (reader.leniency.isFound) this.leniency.found();
        return value;
      }
      this.#faults.cut(reported);
    }
    this.#report('moved', start, end, DEEP_MESSAGE);
    return textValue(source);
  }

  #readAtom(): Value | undefined {
    switch (this.#text.charCodeAt(this.#at)) {
      case QUOTE: {
        const text = this.#readText();
        return text === undefined ? undefined : { kind: 'text', text };
      }
      case LOWER_T:
        return this.#takeWord('true') ? { kind: 'bool', bool: true } : undefined;
      case LOWER_F:
        return this.#takeWord('false') ? { kind: 'bool', bool: false } : undefined;
      case LOWER_N:
        return this.#takeWord('null') ? { kind: 'null' } : undefined;
      case UPPER_N:
        return this.#takeWord('NaN') ? this.#nonFinite(NaN) : undefined;
      case UPPER_I:
        return this.#takeWord('Infinity') ? this.#nonFinite(Infinity) : undefined;
      default:
        return this.#readNumber();
    }
  }

  #nonFinite(float: number): Value {
    this.leniency.found();
    return floatValue(float);
  }

  #takeWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** Skips blanks and returns the code of the next character. */
  #next(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === SPACE || code === LF || code === CR || code === TAB) code = text.charCodeAt(++at);
    this.#at = at;
    return code;
  }

  /** The text between quotation marks; undefined if it is incomplete or has an invalid escape. */
  #readText(): string | undefined {
    const text = this.#text;
    const start = this.#at + 1;
    const end = findPlainEnd(text, start, this.leniency);
    if (end < 0) return this.#readSpecialText(start);
    this.#at = end + 1;
    return text.slice(start, end);
  }

  /** Reads a text with escapes, or with control characters, which RFC 8259 does not allow. */
  #readSpecialText(start: number): string | undefined {
    const end = findQuote(this.#text, start - 1);
    const source = this.#text.slice(start, end);
    if (end < 0 || /[\r\n]/.test(source)) return undefined;
    this.#at = end + 1;
    if (source.includes('\\')) {
      const text = parseJson(`"${source}"`);
      return typeof text === 'string' ? text : undefined;
    }
    this.leniency.found();
    return source;
  }

  #readNumber(): Value | undefined {
    const text = this.#text;
    const start = this.#at;
    const isNegative = text.charCodeAt(start) === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let int = 0;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++at)) int = int * 10 + (code - ZERO);
    if (at === first) {
      if (!isNegative || !text.startsWith('Infinity', at)) return undefined;
      this.#at = at + 'Infinity'.length;
      return this.#nonFinite(-Infinity);
    }
    if (text.charCodeAt(first) === ZERO && at > first + 1) return undefined;
    if (code === POINT) return this.#readShortFloat(start, at, int) ?? this.#readFloat(start, at);
    if (code === LOWER_E || code === UPPER_E) return this.#readFloat(start, at);
    this.#at = at;
    if (at - first > SAFE_DIGITS) return this.#readLongInt(start, at);
    if (int === 0 && isNegative) return { kind: 'float', float: -0, literal: '-0' };
    return { kind: 'int', int: isNegative ? -int : int };
  }

  #readLongInt(start: number, end: number): Value {
    const literal = this.#text.slice(start, end);
    if (literal.length <= LONGEST_INT) return intValue(BigInt(literal));
    this.#report('moved', start, end, longIntMessage(literal));
    return textValue(literal);
  }

  /**
   * Reads a float with few digits that is printed as it is written, as most are, from its point. `whole` are the digits
   * before the point. Undefined for any other.
   */
  #readShortFloat(start: number, point: number, whole: number): Value | undefined {
    const text = this.#text;
    let at = point + 1;
    let digits = whole;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++at)) digits = digits * 10 + (code - ZERO);
    const places = at - point - 1;
    const power = POWERS_OF_TEN[places];
    if (places === 0 || at - start > SAFE_DIGITS || !power) return undefined;
    if (code === LOWER_E || code === UPPER_E) return undefined;
    if (text.charCodeAt(at - 1) === ZERO && places > 1) return undefined;
    // Both numbers are exact in a double, so the quotient is the nearest double.
    const float = digits / power;
    if (float !== 0 && float < LEAST_PLAIN) return undefined;
    this.#at = at;
    return { kind: 'float', float: text.charCodeAt(start) === MINUS ? -float : float };
  }

  /** Reads a number from its point or exponent at `from`. */
  #readFloat(start: number, from: number): Value | undefined {
    const text = this.#text;
    FRACTION.lastIndex = from;
    if (!FRACTION.test(text)) return undefined;
    const at = FRACTION.lastIndex;
    this.#at = at;
    const literal = text.slice(start, at);
    const float = Number(literal);
    if (isRoundedFloat(literal, float)) this.#report('rounded', start, at, roundedMessage(literal, float));
    return isWrittenOtherwise(literal, float) ? { kind: 'float', float, literal } : { kind: 'float', float };
  }

  #report(kind: TextFault['kind'], start: number, end: number, message: string): void {
    this.#faults.push({ kind, span: { start: this.#base + start, end: this.#base + end }, message });
  }
}

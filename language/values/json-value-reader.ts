import {
  type DictValue,
  type Entry,
  floatValue,
  intValue,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { parseJson, DEEPEST } from '../../core/text/json.ts';
import { fitArray } from '../fit-array.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import { isRoundedFloat, isWrittenOtherwise } from './float-text.ts';
import { DEEP_MESSAGE, longIntMessage, roundedMessage, twinMessage } from './json-messages.ts';
import { LONGEST_INT, readNotation } from './notation.ts';
import type { FaultList } from './fault-list.ts';
import type { Places, TextFault } from './text-layer.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const DOLLAR = 36;
const PLUS = 43;
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
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Integers with up to this many digits are exact in a double. */
const SAFE_DIGITS = 15;
/** The number of levels in the notation of a value: `{"$tensor": {"shape": [2]}}`. */
const NOTATION_LEVELS = 3;
/** Maximum number of entries whose keys are compared one by one. */
export const FEW = 12;

/** Faults and places that reading a value adds to. */
export interface JsonNotes {
  readonly faults: FaultList;
  readonly places: Places | undefined;
}

/** The length of a text in characters from which its equal values are shared, to save memory. */
const LEAST_SHARED = 1 << 14;

/**
 * Reads valid JSON values exactly in one pass: integers of any size, keys in order, and also `NaN`,
 * `Infinity` and `-Infinity`, which Python writes. Stops at other text, which `json-recovery.ts` reads.
 */
export class JsonValueReader {
  /** The end of the value; after an invalid value, where reading stopped. */
  at = 0;
  readonly #text: string;
  /** The offset of the text in the whole text. */
  readonly #base: number;
  readonly #faults: FaultList;
  readonly #places: Places | undefined;
  readonly #shared: SharedAtoms | undefined;
  #deepest = DEEPEST;
  readonly #meter = new SliceMeter();
  /** True if something was read that RFC 8259 does not allow: a number word of Python, a control character. */
  isLenient = false;

  constructor(text: string, base: number, { faults, places }: JsonNotes) {
    this.#text = text;
    this.#base = base;
    this.#faults = faults;
    this.#places = places;
    this.#shared = places || text.length < LEAST_SHARED ? undefined : new SharedAtoms();
  }

  /** The value at an offset; undefined if it is missing or invalid. */
  read(start: number): Value | undefined {
    return runAtOnce(this.readSteps(start));
  }

  /** The same in slices. */
  *readSteps(start: number): Generator<undefined, Value | undefined> {
    const reported = this.#faults.length;
    this.at = start;
    this.#meter.restart(start);
    const value = this.#isGroup() ? yield* this.#groupSteps(0) : this.#readAtom();
    if (!value) this.#faults.cut(reported);
    return value;
  }

  /** True at the start of a list or dictionary. */
  #isGroup(): boolean {
    const code = this.#text.charCodeAt(this.at);
    return code === OPEN_BRACE || code === OPEN_BRACKET;
  }

  /** Reads a list or dictionary; `depth` is the number of enclosing ones. */
  *#groupSteps(depth: number): Generator<undefined, Value | undefined> {
    const isDict = this.#text.charCodeAt(this.at) === OPEN_BRACE;
    if (depth < this.#deepest) return yield* isDict ? this.#dictSteps(depth + 1) : this.#listSteps(depth + 1);
    return isDict ? yield* this.#deepDictSteps(depth) : this.#keepSource();
  }

  #readAtom(): Value | undefined {
    switch (this.#text.charCodeAt(this.at)) {
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
    this.isLenient = true;
    return floatValue(float);
  }

  #takeWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** Skips blanks and returns the code of the next character. */
  #next(): number {
    const text = this.#text;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code === SPACE || code === LF || code === CR || code === TAB) code = text.charCodeAt(++at);
    this.at = at;
    return code;
  }

  *#listSteps(depth: number): Generator<undefined, Value | undefined> {
    const items: Value[] = [];
    this.at++;
    let code = this.#next();
    while (code !== CLOSE_BRACKET) {
      const start = this.at;
      const value = this.#isGroup() ? yield* this.#groupSteps(depth) : this.#readAtom();
      if (!value) return undefined;
      if (this.#meter.isPast(this.at)) yield;
      items.push(this.#settle(value, start));
      code = this.#next();
      if (code !== COMMA) break;
      this.at++;
      // A bracket after a comma is not a value, so reading stops there.
      this.#next();
    }
    if (code !== CLOSE_BRACKET) return undefined;
    this.at++;
    return { kind: 'list', items: fitArray(items) };
  }

  *#dictSteps(depth: number): Generator<undefined, Value | undefined> {
    const entries: Entry[] = [];
    let index: Map<string, number> | undefined;
    this.at++;
    let code = this.#next();
    while (code === QUOTE) {
      const start = this.at;
      const key = this.#readText();
      if (key === undefined || this.#next() !== COLON) return undefined;
      const keyEnd = this.at;
      this.at++;
      this.#next();
      const value = this.#isGroup() ? yield* this.#groupSteps(depth) : this.#readAtom();
      if (!value) return undefined;
      if (this.#meter.isPast(this.at)) yield;
      const settled = this.#settle(value, start);
      if (entries.length >= FEW) index ??= new Map(entries.map((entry, at) => [entry.key, at]));
      const twin = index ? (index.get(key) ?? -1) : findKey(entries, key);
      if (twin >= 0) this.#replace(entries, twin, { key, value: settled }, start, keyEnd);
      else entries.push({ key, value: settled });
      if (twin < 0) index?.set(key, entries.length - 1);
      code = this.#next();
      if (code === CLOSE_BRACE) break;
      if (code !== COMMA) return undefined;
      this.at++;
      // A brace after a comma is not a key.
      if (this.#next() !== QUOTE) return undefined;
      code = QUOTE;
    }
    if (code !== CLOSE_BRACE) return undefined;
    this.at++;
    return finishDict({ kind: 'dict', entries: fitArray(entries) });
  }

  /** Of a repeated key the later value counts, at the position of the first. */
  #replace(entries: Entry[], twin: number, entry: Entry, start: number, end: number): void {
    entries[twin] = entry;
    this.#report('dropped', start, end, twinMessage(entry.key));
  }

  /** A dictionary nested too deep becomes a text, unless it is the notation of an atom. */
  *#deepDictSteps(depth: number): Generator<undefined, Value | undefined> {
    const start = this.at;
    this.at++;
    const isNotation = this.#next() === QUOTE && this.#text.charCodeAt(this.at + 1) === DOLLAR;
    this.at = start;
    if (isNotation && this.#deepest === DEEPEST) {
      const reported = this.#faults.length;
      this.#deepest = DEEPEST + NOTATION_LEVELS;
      const value = yield* this.#dictSteps(depth + 1);
      this.#deepest = DEEPEST;
      if (value && value.kind !== 'dict') return value;
      this.#faults.cut(reported);
      this.at = start;
    }
    return this.#keepSource();
  }

  /** Returns the source of a list or dictionary as a text. */
  #keepSource(): Value | undefined {
    const start = this.at;
    const end = findClose(this.#text, start);
    if (end === undefined) return undefined;
    this.at = end;
    this.#report('moved', start, end, DEEP_MESSAGE);
    return textValue(this.#text.slice(start, end));
  }

  /** The text between quotation marks; undefined if it is incomplete or has an invalid escape. */
  #readText(): string | undefined {
    const text = this.#text;
    const start = this.at + 1;
    for (let at = skipPlain(text, start); at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (code === BACKSLASH) return this.#readEscaped(start, at);
      if (code >= SPACE) continue;
      if (code === LF || code === CR) break;
      this.isLenient = true;
    }
    return undefined;
  }

  #readEscaped(start: number, firstEscape: number): string | undefined {
    const text = this.#text;
    for (let at = firstEscape; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || code === CR) return undefined;
      if (code === BACKSLASH) at++;
      if (code !== QUOTE) continue;
      this.at = at + 1;
      const value = parseJson(text.slice(start - 1, at + 1));
      return typeof value === 'string' ? value : undefined;
    }
    return undefined;
  }

  #readNumber(): Value | undefined {
    const text = this.#text;
    const start = this.at;
    const isNegative = text.charCodeAt(start) === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let int = 0;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++at)) int = int * 10 + (code - ZERO);
    if (at === first) {
      if (!isNegative || !text.startsWith('Infinity', at)) return undefined;
      this.at = at + 'Infinity'.length;
      return this.#nonFinite(-Infinity);
    }
    if (text.charCodeAt(first) === ZERO && at > first + 1) return undefined;
    if (code === POINT || code === LOWER_E || code === UPPER_E) return this.#readFloat(start, at);
    this.at = at;
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

  /** Reads a number from its point or exponent at `from`. */
  #readFloat(start: number, from: number): Value | undefined {
    const text = this.#text;
    let at = from;
    if (text.charCodeAt(at) === POINT) {
      at = skipDigits(text, from + 1);
      if (at === from + 1) return undefined;
    }
    const code = text.charCodeAt(at);
    if (code === LOWER_E || code === UPPER_E) {
      const sign = text.charCodeAt(at + 1);
      const power = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
      at = skipDigits(text, power);
      if (at === power) return undefined;
    }
    this.at = at;
    const literal = text.slice(start, at);
    const float = Number(literal);
    if (isRoundedFloat(literal, float)) this.#report('rounded', start, at, roundedMessage(literal, float));
    return isWrittenOtherwise(literal, float) ? { kind: 'float', float, literal } : { kind: 'float', float };
  }

  /** Records the place of a value, or shares equal values if no places are collected. */
  #settle(value: Value, start: number): Value {
    this.#places?.set(value, { start: this.#base + start, end: this.#base + this.at });
    return this.#shared?.share(value) ?? value;
  }

  #report(kind: TextFault['kind'], start: number, end: number, message: string): void {
    this.#faults.push({ kind, span: { start: this.#base + start, end: this.#base + end }, message });
  }
}

/** The dictionary, or the value of which it is the notation. */
export function finishDict(dict: DictValue): Value {
  return dict.entries.length === 1 ? readNotation(dict) : dict;
}

/** The index of the entry with a key; -1 if there is none. */
export function findKey(entries: readonly Entry[], key: string): number {
  for (let at = 0; at < entries.length; at++) if (entries[at]?.key === key) return at;
  return -1;
}

/** The end of the list or dictionary at an offset; undefined if it is not closed. */
function findClose(text: string, start: number): number | undefined {
  let open = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) open++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (--open === 0) return at + 1;
    } else if (code === QUOTE) at = skipText(text, at);
  }
  return undefined;
}

/** The offset of the closing quotation mark; the end of the text if there is none. */
function skipText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

/** Characters that need no decoding. */
const PLAIN = /[^"\\\0-\x1f]*/y;

/** Control characters in two ranges, each small enough for V8 to test many characters at once. */
const LOW_CONTROL = /[\0-\x0f]/;
const HIGH_CONTROL = /[\x10-\x1f]/;

/** Minimum length of a text for which several fast searches pay off. */
const LONG = 256;

/** The first character that is not plain. Long texts are searched much faster than character by character. */
function skipPlain(text: string, start: number): number {
  const quote = text.indexOf('"', start);
  if (quote - start >= LONG) {
    const inside = text.slice(start, quote);
    if (!inside.includes('\\') && !LOW_CONTROL.test(inside) && !HIGH_CONTROL.test(inside)) return quote;
  }
  PLAIN.lastIndex = start;
  PLAIN.test(text);
  return PLAIN.lastIndex;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++;
  return at;
}

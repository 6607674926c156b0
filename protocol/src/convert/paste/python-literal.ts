import { quote } from '../../text/quote.ts';
import { readPythonString } from './python-string.ts';

/** Python's literals as JSON, or why they are none. */
export type PythonJson =
  | {
      readonly kind: 'ok';
      /** The values, a line each. */
      readonly json: string;
      /** What is not as it was; sentences without a full stop. */
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'fault'; readonly problem: string };

const MOST_LEVELS = 200;

/** Words of Python that are values, in JSON; the last three as Python's own json module writes them. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['nan', 'NaN'],
  ['inf', 'Infinity'],
]);

/** How a text begins that is Python's rather than broken JSON. */
export function looksLikePython(text: string): boolean {
  const start = text.slice(0, MOST_LOOKED_AT);
  return PYTHON_START.test(start) || PYTHON_WITHIN.test(start);
}

const MOST_LOOKED_AT = 10_000;
const PYTHON_START = /^\s*(?:[A-Za-z_]\w*\s*=\s*)?(?:\(|[[{]\s*(?:[rubf]{1,2}"|"""|\(|#|-?\d+\s*:))/i;
const PYTHON_WITHIN = /[[{(,:]\s*(?:(?:True|False|None)\b|[rubfRUBF]{0,2}')/;

/**
 * Values as `ast.literal_eval` reads them, as JSON: dicts, lists, tuples, texts, numbers, True, False and None; several
 * one after the other, each with the name that it is given to. Total, and linear.
 */
export function readPythonLiterals(text: string): PythonJson {
  const reader = new Reader(text);
  const values: string[] = [];
  try {
    for (reader.skip(); !reader.isAtEnd; reader.skip()) values.push(reader.readAssigned());
  } catch (error) {
    if (error instanceof PythonFault) return { kind: 'fault', problem: error.message };
    throw error;
  }
  if (values.length === 0) return { kind: 'fault', problem: 'There is no value in this text' };
  return { kind: 'ok', json: values.join('\n'), remarks: reader.remarks() };
}

/** Leaves the reader from any depth; never leaves this file. */
class PythonFault extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;
  #out: string[] = [];
  #depth = 0;
  #changedKeys = 0;
  #tuples = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  remarks(): readonly string[] {
    return [
      ...(this.#changedKeys > 0 ? ['Keys that are no texts became texts'] : []),
      ...(this.#tuples > 0 ? ['Tuples became lists'] : []),
    ];
  }

  /** One value; `name = ` before it is passed over, and a comma or semicolon behind it. */
  readAssigned(): string {
    const assigned = this.#match(/[A-Za-z_]\w*[ \t]*=(?!=)/y);
    if (assigned !== undefined) this.#at += assigned.length;
    this.skip();
    this.#out = [];
    this.#value();
    this.skip();
    if (/[,;]/.test(this.#peek())) this.#at++;
    return this.#out.join('');
  }

  /** Passes over white space and comments. */
  skip(): void {
    const found = this.#match(/(?:[ \t\r\n\f\uFEFF]+|\\\r?\n|#[^\r\n]*)+/y);
    this.#at += found?.length ?? 0;
  }

  #value(): void {
    const first = this.#peek();
    if (first === '{') return this.#dict();
    if (first === '[') return this.#list(']');
    if (first === '(') return this.#tuple();
    const string = this.#match(/(?:[A-Za-z]{0,2})(?=['"])/y);
    if (string !== undefined) return this.#strings();
    const number = this.#match(NUMBER_LIKE);
    if (number !== undefined) return this.#number(number);
    this.#word();
  }

  #dict(): void {
    this.#enter();
    this.#out.push('{');
    this.#items('}', () => {
      const start = this.#out.length;
      this.#value();
      this.skip();
      if (this.#peek() !== ':')
        throw this.#fault(this.#peek() === '}' || this.#peek() === ',' ? SET : "':' is missing");
      this.#at++;
      this.#out.splice(start, this.#out.length - start, this.#key(this.#out.slice(start).join('')), ':');
      this.skip();
      this.#value();
    });
    this.#out.push('}');
    this.#depth--;
  }

  /** A key as a text: what it is, as Python's own json module writes it. */
  #key(json: string): string {
    if (json.startsWith('"')) return json;
    if (json.startsWith('{') || json.startsWith('[')) throw this.#fault('a key can be no list and no tuple');
    this.#changedKeys++;
    return JSON.stringify(json);
  }

  #list(close: string): void {
    this.#enter();
    this.#out.push('[');
    this.#items(close, () => this.#value());
    this.#out.push(']');
    this.#depth--;
  }

  /** A tuple, or a value in brackets. */
  #tuple(): void {
    const start = this.#out.length;
    this.#enter();
    this.#out.push('[');
    const { count, hasComma } = this.#items(')', () => this.#value());
    this.#depth--;
    if (count === 1 && !hasComma) {
      this.#out[start] = '';
      return;
    }
    this.#tuples++;
    this.#out.push(']');
  }

  #items(close: string, readItem: () => void): { readonly count: number; readonly hasComma: boolean } {
    this.#at++;
    let [count, hasComma] = [0, false];
    for (;;) {
      this.skip();
      if (this.#peek() === close) {
        this.#at++;
        return { count, hasComma };
      }
      if (count > 0 && !hasComma)
        throw this.#fault(this.isAtEnd ? `'${close}' is missing` : "',' is missing");
      if (count > 0) this.#out.push(',');
      readItem();
      count++;
      this.skip();
      hasComma = this.#peek() === ',';
      if (hasComma) this.#at++;
    }
  }

  /** Texts that stand side by side are one. */
  #strings(): void {
    const pieces: string[] = [];
    for (;;) {
      const found = readPythonString(this.#text, this.#at);
      if (!found) break;
      if (found.problem !== undefined) throw this.#fault(found.problem);
      pieces.push(found.text);
      this.#at = found.end;
      this.skip();
    }
    if (pieces.length === 0) throw this.#fault('this text cannot be read');
    this.#out.push(JSON.stringify(pieces.join('')));
  }

  #number(source: string): void {
    const written = source.replace(/^[+-]?[ \t]*/, '');
    if (/j$/i.test(written)) throw this.#fault('a complex number has no place in a message');
    const number = numberToJson(written);
    if (number === undefined) throw this.#fault(`${quote(written)} is no number in Python`);
    this.#at += source.length;
    // An integer of Python has no negative zero.
    this.#out.push(source.startsWith('-') && number !== '0' ? '-' : '', number);
  }

  #word(): void {
    if (this.isAtEnd) throw this.#fault('a value is missing');
    const minus = this.#match(/-(?=inf\b)/y) ?? '';
    this.#at += minus.length;
    const word = this.#match(/[\p{L}_][\p{L}\p{N}_.]*/uy);
    if (word === undefined) throw this.#fault(`a value is missing before ${quote(this.#peek())}`);
    const json = WORDS.get(word);
    if (json === undefined)
      throw this.#fault(`${quote(word)} is a name or a call: only values can be pasted`);
    this.#at += word.length;
    this.#out.push(minus + json);
  }

  #enter(): void {
    if (++this.#depth > MOST_LEVELS) throw this.#fault(`more than ${MOST_LEVELS} levels`);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #fault(what: string): PythonFault {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new PythonFault(`This Python text cannot be pasted: line ${line}: ${what}`);
  }
}

const SET = 'a set has no place in a message; write a list';

/** All that stands together with a digit: what is no number is told as a whole, and no part of it counts as one. */
const NUMBER_LIKE = /[+-]?[ \t]*\.?\d[\w.]*(?:(?<=[eE])[+-][\w.]*)?/y;
const WITH_BASE = /^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/i;
const INTEGER = /^(?:0+|[1-9]\d*)$/;
const FLOAT = /^(?:(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?|\d+e[+-]?\d+)$/i;
/** An underscore stands between two digits, or behind the letter of a base. */
const STRAY_UNDERSCORE = /_(?!\d)|(?<!\d)_/;
const STRAY_UNDERSCORE_WITH_BASE = /_(?![\da-f])/i;

/** A number of Python without its sign in JSON, digit by digit; undefined for what is none. */
function numberToJson(written: string): string | undefined {
  const digits = written.replaceAll('_', '');
  if (WITH_BASE.test(digits))
    return STRAY_UNDERSCORE_WITH_BASE.test(written) ? undefined : String(BigInt(digits.toLowerCase()));
  if (STRAY_UNDERSCORE.test(written) || !(INTEGER.test(digits) || FLOAT.test(digits))) return undefined;
  return digits
    .replace(/^0+(?=\d)/, '')
    .replace(/^\./, '0.')
    .replace(/\.(?!\d)/, '.0');
}

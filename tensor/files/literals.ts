import { quote } from '../../core/text/quote.ts';

/** A parsed value; the common subset of JSON and Python literals. */
export type Literal = string | number | boolean | null | readonly Literal[] | Entries;

/** A JSON object or Python dictionary, in source order. */
export type Entries = ReadonlyMap<string, Literal>;

export type LiteralReading =
  | { readonly kind: 'ok'; readonly value: Literal }
  /** What is wrong, and where, as a UTF-16 offset. */
  | { readonly kind: 'fault'; readonly problem: string; readonly at: number };

/** The differences between the two notations. */
interface Notation {
  readonly quotes: string;
  /** The value of a quoted string; undefined if it is invalid. */
  readonly unquote: (quoted: string) => string | undefined;
  readonly number: RegExp;
  readonly words: ReadonlyMap<string, boolean | null>;
  /** Closing brackets of lists by their opening brackets. */
  readonly lists: ReadonlyMap<string, string>;
  /** Whether a comma is allowed before a closing bracket. */
  readonly trailingComma: boolean;
}

const JSON_NOTATION: Notation = {
  quotes: '"',
  unquote(quoted) {
    try {
      return String(JSON.parse(quoted));
    } catch {
      return undefined;
    }
  },
  number: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
  words: new Map<string, boolean | null>([
    ['true', true],
    ['false', false],
    ['null', null],
  ]),
  lists: new Map([['[', ']']]),
  trailingComma: false,
};

const PYTHON_NOTATION: Notation = {
  quotes: `'"`,
  // Escapes occur only in field names, which are displayed and never looked up.
  unquote: quoted => quoted.slice(1, -1),
  // Python 2 ended a long integer with L.
  number: /-?[0-9]+L?/y,
  words: new Map<string, boolean | null>([
    ['True', true],
    ['False', false],
    ['None', null],
  ]),
  lists: new Map([
    ['[', ']'],
    ['(', ')'],
  ]),
  trailingComma: true,
};

/** The maximum nesting depth. Headers of array files have three levels, those of nested records a few more. */
const MAX_DEPTH = 64;
const BLANKS = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+/y;

/**
 * Parses JSON (RFC 8259) and rejects objects with duplicate names.
 * Numbers become the nearest doubles. Never throws; linear in the text.
 */
export function readJsonText(text: string): LiteralReading {
  return new LiteralReader(text, JSON_NOTATION).read();
}

/**
 * Parses a Python literal without evaluating code: dictionaries with string keys, tuples and lists (both as
 * lists), strings, integers, True, False, None. Never throws; linear in the text.
 */
export function readPythonLiteral(text: string): LiteralReading {
  return new LiteralReader(text, PYTHON_NOTATION).read();
}

export function isEntries(value: Literal | undefined): value is Entries {
  return value instanceof Map;
}

/** A list of integers from 0 to 2^53-1, such as a shape; undefined for any other value. */
export function readSizes(value: Literal | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const sizes = value.filter(size => typeof size === 'number' && Number.isSafeInteger(size) && size >= 0);
  return sizes.length === value.length ? sizes.map(Number) : undefined;
}

/** The parsing methods return undefined after a fault. */
class LiteralReader {
  readonly #text: string;
  readonly #notation: Notation;
  #at = 0;
  #depth = 0;
  #fault: { readonly problem: string; readonly at: number } | undefined;

  constructor(text: string, notation: Notation) {
    this.#text = text;
    this.#notation = notation;
  }

  read(): LiteralReading {
    const value = this.#value();
    if (value !== undefined && this.#at < this.#text.length)
      this.#refuse(`${this.#here()} follows the value`);
    if (this.#fault || value === undefined)
      return { kind: 'fault', ...(this.#fault ?? { problem: 'there is no value', at: this.#at }) };
    return { kind: 'ok', value };
  }

  #refuse(problem: string, at = this.#at): undefined {
    this.#fault ??= { problem, at };
    return undefined;
  }

  /** The next character, quoted for a message. */
  #here(): string {
    return this.#at < this.#text.length ? quote(this.#text.charAt(this.#at)) : 'the end';
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at++;
    this.#match(BLANKS);
    return true;
  }

  /** Parses a value and the white space around it. */
  #value(): Literal | undefined {
    this.#match(BLANKS);
    const value = this.#bareValue();
    this.#match(BLANKS);
    return value;
  }

  #bareValue(): Literal | undefined {
    const first = this.#text.charAt(this.#at);
    const closing = this.#notation.lists.get(first);
    if (first === '{') return this.#nested(() => this.#entries());
    if (closing !== undefined) return this.#nested(() => this.#items(closing));
    if (first !== '' && this.#notation.quotes.includes(first)) return this.#string();
    const start = this.#at;
    const number = this.#match(this.#notation.number);
    if (number !== '') return Number(number.replace('L', ''));
    const value = this.#notation.words.get(this.#match(WORD));
    if (value !== undefined) return value;
    this.#at = start;
    return this.#refuse(`a value was expected, but ${this.#here()} was found`);
  }

  #nested<T>(read: () => T | undefined): T | undefined {
    if (++this.#depth > MAX_DEPTH) return this.#refuse(`brackets are nested more than ${MAX_DEPTH} deep`);
    this.#take(this.#text.charAt(this.#at));
    const value = read();
    this.#depth--;
    return value;
  }

  #entries(): Entries | undefined {
    const entries = new Map<string, Literal>();
    while (!this.#take('}')) {
      const at = this.#at;
      const key = this.#string();
      if (key === undefined) return undefined;
      if (entries.has(key)) return this.#refuse(`the name ${quote(key)} occurs twice`, at);
      this.#match(BLANKS);
      if (!this.#take(':')) return this.#refuse(`':' was expected, but ${this.#here()} was found`);
      const value = this.#value();
      if (value === undefined) return undefined;
      entries.set(key, value);
      if (!this.#comma('}')) return undefined;
    }
    return entries;
  }

  #items(closing: string): readonly Literal[] | undefined {
    const items: Literal[] = [];
    while (!this.#take(closing)) {
      const value = this.#value();
      if (value === undefined) return undefined;
      items.push(value);
      if (!this.#comma(closing)) return undefined;
    }
    return items;
  }

  /** Skips the comma between two items; true without one if the list ends. False after a fault. */
  #comma(closing: string): boolean {
    const ends = (): boolean => this.#text.charAt(this.#at) === closing;
    if (ends()) return true;
    if (!this.#take(',')) this.#refuse(`',' or '${closing}' was expected, but ${this.#here()} was found`);
    else if (ends() && !this.#notation.trailingComma) this.#refuse(`${this.#here()} follows ','`);
    return this.#fault === undefined;
  }

  #string(): string | undefined {
    const start = this.#at;
    const mark = this.#text.charAt(start);
    if (mark === '' || !this.#notation.quotes.includes(mark))
      return this.#refuse(`a name in quotes was expected, but ${this.#here()} was found`);
    let end = start + 1;
    while (end < this.#text.length && this.#text.charAt(end) !== mark)
      end += this.#text.charAt(end) === '\\' ? 2 : 1;
    if (end >= this.#text.length) return this.#refuse('the text in quotes does not end', start);
    const value = this.#notation.unquote(this.#text.slice(start, end + 1));
    if (value === undefined)
      return this.#refuse('the text in quotes is not written as JSON writes it', start);
    this.#at = end + 1;
    return value;
  }
}

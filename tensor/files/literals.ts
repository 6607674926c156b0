import { quote } from '../../core/text/quote.ts';

/** A value written as text: what JSON and the literals of Python have in common. */
export type Literal = string | number | boolean | null | readonly Literal[] | Entries;

/** An object of JSON, a dictionary of Python; its names in the order in which they stand there. */
export type Entries = ReadonlyMap<string, Literal>;

export type LiteralReading =
  | { readonly kind: 'ok'; readonly value: Literal }
  /** What is wrong, and where: a UTF-16 offset in the text. */
  | { readonly kind: 'fault'; readonly problem: string; readonly at: number };

/** What tells the two notations apart. */
interface Notation {
  readonly quotes: string;
  /** The string that a text between quotes means; undefined for none. */
  readonly unquote: (quoted: string) => string | undefined;
  readonly number: RegExp;
  readonly words: ReadonlyMap<string, boolean | null>;
  /** What closes what opens a list. */
  readonly lists: ReadonlyMap<string, string>;
  /** Whether a comma may stand before a closing bracket. */
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
  // Escapes stand only in names of fields, which are shown and never looked up.
  unquote: quoted => quoted.slice(1, -1),
  // Python 2 ended a long integer in an L.
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

/** Headers of array files are three levels deep, those of nested records a few more. */
const MAX_DEPTH = 64;
const BLANKS = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+/y;

/**
 * Reads a JSON text (RFC 8259); an object with two entries of one name is refused. Numbers are the nearest doubles.
 * Total, and linear in the text.
 */
export function readJsonText(text: string): LiteralReading {
  return new LiteralReader(text, JSON_NOTATION).read();
}

/**
 * Reads a literal of Python: dictionaries with strings as keys, tuples and lists (both as lists), strings, integers,
 * True, False, None. Nothing is evaluated. Total, and linear in the text.
 */
export function readPythonLiteral(text: string): LiteralReading {
  return new LiteralReader(text, PYTHON_NOTATION).read();
}

export function isEntries(value: Literal | undefined): value is Entries {
  return value instanceof Map;
}

/** A list of whole numbers from 0 to 2^53-1, such as a shape; undefined for any other value. */
export function readSizes(value: Literal | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const sizes = value.filter(size => typeof size === 'number' && Number.isSafeInteger(size) && size >= 0);
  return sizes.length === value.length ? sizes.map(Number) : undefined;
}

/** Each method gives undefined once a fault is known. */
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

  /** The next character, in words. */
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

  /** A value with the blanks around it. */
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
    return this.#refuse(`a value was expected, and ${this.#here()} stands there`);
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
      if (entries.has(key)) return this.#refuse(`the name ${quote(key)} stands there twice`, at);
      this.#match(BLANKS);
      if (!this.#take(':')) return this.#refuse(`':' was expected, and ${this.#here()} stands there`);
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

  /** Goes over the comma between two items; true where there is none because the list ends. */
  #comma(closing: string): boolean {
    const ends = (): boolean => this.#text.charAt(this.#at) === closing;
    if (ends()) return true;
    if (!this.#take(',')) this.#refuse(`',' or '${closing}' was expected, and ${this.#here()} stands there`);
    else if (ends() && !this.#notation.trailingComma) this.#refuse(`${this.#here()} stands after ','`);
    return this.#fault === undefined;
  }

  #string(): string | undefined {
    const start = this.#at;
    const mark = this.#text.charAt(start);
    if (mark === '' || !this.#notation.quotes.includes(mark))
      return this.#refuse(`a name in quotes was expected, and ${this.#here()} stands there`);
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

/** The words of the first command in a shell text, or the reason why they cannot be determined. */
export type ShellWords =
  | {
      readonly kind: 'ok';
      readonly words: readonly string[];
      /** True where a word has an expansion such as `$TOKEN`, which is left as written. */
      readonly hasVariable: boolean;
      /** The text after the command, such as `| jq .`; empty if there is none. */
      readonly rest: string;
    }
  | { readonly kind: 'fault'; readonly problem: string };

const BLANK = /[ \t]/;
const COMMAND_END = /[|;&<>()\r\n]/;

/**
 * Splits a text into words as a POSIX shell does (POSIX.1-2024, XCU 2.2), with `$'…'`, but without
 * expansions. Linear.
 */
export function splitShellWords(text: string): ShellWords {
  return new Splitter(text).split();
}

class Splitter {
  readonly #text: string;
  #at = 0;
  #word: string[] | undefined;
  readonly #words: string[] = [];
  #hasVariable = false;
  #problem: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  split(): ShellWords {
    while (this.#at < this.#text.length && this.#problem === undefined) if (!this.#step()) break;
    if (this.#problem !== undefined) return { kind: 'fault', problem: this.#problem };
    this.#endWord();
    const rest = this.#text.slice(this.#at).trim();
    return { kind: 'ok', words: this.#words, hasVariable: this.#hasVariable, rest };
  }

  /** Reads a piece of a word, or the space between two; returns false at the end of the command. */
  #step(): boolean {
    const text = this.#text;
    const character = text.charAt(this.#at);
    if (character === "'") this.#singleQuoted();
    else if (character === '"') this.#doubleQuoted();
    else if (text.startsWith("$'", this.#at)) this.#ansiQuoted();
    else if (character === '\\') this.#escaped();
    else if (BLANK.test(character)) {
      this.#endWord();
      this.#at++;
    } else if (COMMAND_END.test(character)) {
      // Line breaks before a command are skipped.
      if (!/[\r\n]/.test(character) || this.#words.length > 0 || this.#word) return false;
      this.#at++;
    } else this.#plain();
    return true;
  }

  #plain(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !/[\s'"\\|;&<>()]/.test(this.#text.charAt(this.#at))) {
      if (this.#at > start && this.#text.startsWith("$'", this.#at)) break;
      this.#at++;
    }
    this.#add(this.#text.slice(start, this.#at), 'replaced');
  }

  #singleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) return this.#open("'");
    this.#add(this.#text.slice(this.#at + 1, end), 'literal');
    this.#at = end + 1;
  }

  #doubleQuoted(): void {
    const text = this.#text;
    let start = this.#at + 1;
    for (let at = start; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === '"') {
        this.#add(text.slice(start, at), 'replaced');
        this.#at = at + 1;
        return;
      }
      if (character !== '\\') continue;
      const next = text.charAt(at + 1);
      if (/[$`"\\\r\n]/.test(next)) {
        this.#add(text.slice(start, at), 'replaced');
        const width = text.startsWith('\r\n', at + 1) ? 2 : 1;
        if (!/[\r\n]/.test(next)) this.#add(next, 'literal');
        start = at + 1 + width;
        at += width;
      }
    }
    this.#open('"');
  }

  /** Reads `$'…'`, which browsers write for a body with line ends or non-ASCII characters. */
  #ansiQuoted(): void {
    const start = this.#at + 2;
    for (let at = start; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === '\\') at++;
      else if (character === "'") {
        this.#add(readAnsiEscapes(this.#text.slice(start, at)), 'literal');
        this.#at = at + 1;
        return;
      }
    }
    this.#open("$'");
  }

  #escaped(): void {
    const text = this.#text;
    const lineEnd = /^(?:\r\n|[\r\n])/.exec(text.slice(this.#at + 1, this.#at + 3))?.[0];
    if (lineEnd === undefined) {
      const point = text.codePointAt(this.#at + 1);
      const escaped = point === undefined ? '\\' : String.fromCodePoint(point);
      this.#add(escaped, 'literal');
      this.#at += point === undefined ? 1 : 1 + escaped.length;
    } else this.#at += 1 + lineEnd.length;
  }

  #add(piece: string, kind: 'literal' | 'replaced'): void {
    (this.#word ??= []).push(piece);
    if (kind === 'replaced' && /\$[\w{(]|`/.test(piece)) this.#hasVariable = true;
  }

  #endWord(): void {
    if (this.#word) this.#words.push(this.#word.join(''));
    this.#word = undefined;
  }

  #open(quote: string): void {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    this.#problem = `The quote ${quote} in line ${line} of the command is not closed`;
  }
}

const ANSI: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

function readAnsiEscapes(text: string): string {
  const escapes = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([^]))/g;
  return text.replace(escapes, (whole, ...groups: (string | undefined)[]) => {
    const [byte, short, long, octal, other] = groups;
    const hex = byte ?? short ?? long;
    if (hex !== undefined || octal !== undefined) {
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    }
    if (other === undefined) return whole;
    if (/[\\'"?]/.test(other)) return other;
    return Object.hasOwn(ANSI, other) ? (ANSI[other] ?? whole) : whole;
  });
}

/** What lies deeper is left out: kept are members of a message, those of its parameters, result or error, and of these again. */
const DEEPEST = 3;

/** A string that is longer is left out, in characters. */
const LONGEST_STRING = 4_096;

/** An outline has so many characters, about: it is of a message, and not of a table. */
const LONGEST = 2 ** 18;

interface OpenString {
  readonly parts: string[];
  length: number;
  isEscaped: boolean;
}

/**
 * Reads through a message of JSON that comes in pieces, and keeps what tells which message it is: the message without what
 * lies deep, without what is in long strings, and, where that is still too much, without what is in a long member. Linear; what
 * is in strings is passed over. That the text is JSON is not proved, only that its brackets and strings are whole.
 */
export class JsonOutline {
  #depth = 0;
  #kept: string[] = [];
  #length = 0;
  /** Where the member that is open begins, in `#kept` and in characters. */
  #member = { index: 0, length: 0 };
  /** True where what is in that member is left out. */
  #isLeftOut = false;
  /** What came of an open string; undefined outside of one. */
  #string: OpenString | undefined;
  #isBroken = false;

  /** True where there is something, and all that was opened is closed. */
  get isWhole(): boolean {
    return this.#length > 0 && !this.#isBroken && this.#depth === 0 && !this.#string;
  }

  /** The outline so far. */
  get text(): string {
    return this.#kept.join('');
  }

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.#isBroken;)
      at = this.#string ? this.#passString(piece, at, this.#string) : this.#passSign(piece, at);
  }

  /** Answers where the next sign after the string stands, or the end of the piece. */
  #passString(piece: string, from: number, string: OpenString): number {
    STRING_REST.lastIndex = string.isEscaped ? from + 1 : from;
    let end = piece.length;
    string.isEscaped = false;
    for (let found = STRING_REST.exec(piece); found; found = STRING_REST.exec(piece)) {
      if (found[0] === '"') {
        end = found.index;
        break;
      }
      // The escaped character may be the first of the next piece.
      if (found.index === piece.length - 1) string.isEscaped = true;
      else STRING_REST.lastIndex = found.index + 2;
    }
    string.length += end - from;
    if (string.length <= LONGEST_STRING) string.parts.push(piece.slice(from, end));
    if (end === piece.length) return end;
    this.#string = undefined;
    this.#keep(string.length <= LONGEST_STRING ? `"${string.parts.join('')}"` : '""');
    return end + 1;
  }

  /** Answers where to go on behind the next sign. */
  #passSign(piece: string, from: number): number {
    SIGN.lastIndex = from;
    const found = SIGN.exec(piece);
    const end = found?.index ?? piece.length;
    this.#keep(piece.slice(from, end).trim());
    if (found?.[0] === '"') this.#string = { parts: [], length: 0, isEscaped: false };
    else if (found) this.#passBracket(found[0]);
    return end + 1;
  }

  #passBracket(sign: string): void {
    if (sign === '{' || sign === '[') {
      this.#keep(sign);
      this.#depth++;
      if (this.#depth === 2) this.#member = { index: this.#kept.length, length: this.#length };
      return;
    }
    this.#depth--;
    if (this.#depth === 1) this.#isLeftOut = false;
    if (this.#depth < 0) this.#isBroken = true;
    else this.#keep(sign);
  }

  #keep(text: string): void {
    if (text === '' || this.#depth > DEEPEST || this.#isLeftOut) return;
    this.#kept.push(text);
    this.#length += text.length;
    if (this.#length <= LONGEST) return;
    const { index, length } = this.#member;
    this.#isLeftOut = this.#depth > 1;
    this.#isBroken = !this.#isLeftOut || length > LONGEST / 2;
    this.#kept.length = index;
    this.#length = length;
  }
}

const SIGN = /["[\]{}]/g;
const STRING_REST = /["\\]/g;

/**
 * Deeper values are left out. Retained are the members of a message, of its parameters, result or error, and
 * of those.
 */
const DEEPEST = 3;

/** Strings of more characters are left out. */
const LONGEST_STRING = 4_096;

/** The approximate maximum number of characters of an outline: enough for a message, but not for a table. */
const LONGEST = 2 ** 18;

interface OpenString {
  readonly parts: string[];
  length: number;
  isEscaped: boolean;
}

/**
 * Reads a JSON message that arrives in pieces and retains an outline that identifies it: the message without deep
 * values, without the content of long strings and, if it is still too long, without the content of a long member. Takes
 * linear time and skips the content of strings. Only brackets and strings are checked, not that the text is valid JSON.
 */
export class JsonOutline {
  #depth = 0;
  #retained: string[] = [];
  #length = 0;
  /** Where the open member begins: the index in `#stored` and the number of characters before it. */
  #member = { index: 0, length: 0 };
  /** True if the content of that member is left out. */
  #isLeftOut = false;
  /** The part of an open string that has arrived; undefined outside of strings. */
  #string: OpenString | undefined;
  #isBroken = false;

  /** True if there is any text and everything that was opened is closed. */
  get isWhole(): boolean {
    return this.#length > 0 && !this.#isBroken && this.#depth === 0 && !this.#string;
  }

  /** The outline so far. */
  get text(): string {
    return this.#retained.join('');
  }

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.#isBroken;)
      at = this.#string ? this.#passString(piece, at, this.#string) : this.#passDelimiter(piece, at);
  }

  /** Skips the rest of a string. Returns the index after it, or the end of the piece. */
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

  /** Reads up to the next quote or bracket. Returns the index after it. */
  #passDelimiter(piece: string, from: number): number {
    SIGN.lastIndex = from;
    const found = SIGN.exec(piece);
    const end = found?.index ?? piece.length;
    this.#keep(piece.slice(from, end).trim());
    if (found?.[0] === '"') this.#string = { parts: [], length: 0, isEscaped: false };
    else if (found) this.#passBracket(found[0]);
    return end + 1;
  }

  #passBracket(recognised: string): void {
    if (recognised === '{' || recognised === '[') {
      this.#keep(recognised);
      this.#depth++;
      if (this.#depth === 2) this.#member = { index: this.#retained.length, length: this.#length };
      return;
    }
    this.#depth--;
    if (this.#depth === 1) this.#isLeftOut = false;
    if (this.#depth < 0) this.#isBroken = true;
    else this.#keep(recognised);
  }

  #keep(text: string): void {
    if (text === '' || this.#depth > DEEPEST || this.#isLeftOut) return;
    this.#retained.push(text);
    this.#length += text.length;
    if (this.#length <= LONGEST) return;
    const { index, length } = this.#member;
    this.#isLeftOut = this.#depth > 1;
    this.#isBroken = !this.#isLeftOut || length > LONGEST / 2;
    this.#retained.length = index;
    this.#length = length;
  }
}

const SIGN = /["[\]{}]/g;
const STRING_REST = /["\\]/g;

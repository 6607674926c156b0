/** Characters that a string cannot contain as they are, in sets so small that V8 tests many characters at once. */
const BACKSLASH_OR_CONTROL = /[\\\0-\t\v-\x0f]/g;
const HIGH_CONTROL = /[\x10-\x1f]/g;

/** Finds the characters that a JSON string cannot contain as they are. Searches a text once, because it is read in order. */
export class SpecialCharacters {
  readonly #text: string;
  /** The first of each set at or after the last offset; the end of the text if there is none. */
  #lineFeed = -1;
  #low = -1;
  #high = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** True if there is one between two offsets. */
  isBetween(start: number, end: number): boolean {
    if (this.#lineFeed < start) this.#lineFeed = this.#findLineFeed(start);
    if (this.#low < start) this.#low = this.#find(BACKSLASH_OR_CONTROL, start);
    if (this.#high < start) this.#high = this.#find(HIGH_CONTROL, start);
    return this.#lineFeed < end || this.#low < end || this.#high < end;
  }

  /** Separately, because an indented text has many. */
  #findLineFeed(start: number): number {
    const found = this.#text.indexOf('\n', start);
    return found < 0 ? this.#text.length : found;
  }

  #find(set: RegExp, start: number): number {
    set.lastIndex = start;
    return set.test(this.#text) ? set.lastIndex - 1 : this.#text.length;
  }
}

/**
 * Finds the occurrences of a character in a text at ascending offsets. Linear in total: a range that was
 * searched is not searched again.
 */
export class Occurrences {
  readonly #text: string;
  readonly #character: string;
  #found = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /**
   * The first occurrence at or after `from`, which must not decrease
   * between calls; the length of the text if there is none.
   */
  next(from: number): number {
    if (this.#found < from) {
      const found = this.#text.indexOf(this.#character, from);
      this.#found = found === -1 ? this.#text.length : found;
    }
    return this.#found;
  }
}

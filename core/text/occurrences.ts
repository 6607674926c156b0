/** The places of a character in a text, asked for in order. Linear: what was passed over is not searched again. */
export class Occurrences {
  readonly #text: string;
  readonly #character: string;
  #found = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The first place from one on, which is never before the one asked for last; the length of the text where there is none. */
  next(from: number): number {
    if (this.#found < from) {
      const found = this.#text.indexOf(this.#character, from);
      this.#found = found === -1 ? this.#text.length : found;
    }
    return this.#found;
  }
}

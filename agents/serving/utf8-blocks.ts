import { startOf } from '../../core/text/utf8.ts';

const BLOCK = 2 ** 16;
/** The largest number of bytes for one UTF-16 code unit. */
const MAX_BYTES = 3;

/** Encodes texts as UTF-8 into blocks of memory, so that texts that are written together need not be joined. */
export class Utf8Blocks {
  readonly #encoder = new TextEncoder();
  #block = new Uint8Array(0);
  /** The bytes of the block before this one were returned; they never change again. */
  #returned = 0;
  #used = 0;

  /**
   * The bytes of all texts, in order, in one piece unless they are longer than a block: some readers take a piece for an
   * event. A character may be split over two texts.
   */
  encode(texts: readonly string[]): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length <= BLOCK && MAX_BYTES * length > this.#block.length - this.#used) this.#begin();
    let open = '';
    for (const text of texts) {
      const joined = open + text;
      const whole = startOf(joined, joined.length);
      open = joined.slice(whole.length);
      this.#encode(whole, parts);
    }
    this.#encode(open, parts);
    this.#addTo(parts);
    return parts;
  }

  #encode(text: string, parts: Uint8Array[]): void {
    for (let rest = text; rest !== '';) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#block.subarray(this.#used));
      this.#used += written;
      rest = rest.slice(read);
      if (rest === '') return;
      this.#addTo(parts);
      this.#begin();
    }
  }

  #begin(): void {
    this.#block = Buffer.allocUnsafeSlow(BLOCK);
    this.#returned = this.#used = 0;
  }

  #addTo(parts: Uint8Array[]): void {
    if (this.#used > this.#returned) parts.push(this.#block.subarray(this.#returned, this.#used));
    this.#returned = this.#used;
  }
}

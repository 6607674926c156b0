/** Bytes of a reply as text, as they come: UTF-8, a character split over two pieces included. */
export class ReplyText {
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #text = '';
  #isUtf8 = true;

  /** All text so far. */
  get text(): string {
    return this.#text;
  }

  /** False once bytes came that are not UTF-8; they show as U+FFFD. */
  get isUtf8(): boolean {
    return this.#isUtf8;
  }

  /** Takes bytes and answers the text that they add. */
  push(bytes: Uint8Array): string {
    this.#check(() => this.#strict.decode(bytes, { stream: true }));
    const added = this.#lenient.decode(bytes, { stream: true });
    this.#text += added;
    return added;
  }

  /** The end of the bytes: answers what a character that was cut adds. */
  end(): string {
    this.#check(() => this.#strict.decode());
    const added = this.#lenient.decode();
    this.#text += added;
    return added;
  }

  #check(decode: () => string): void {
    if (!this.#isUtf8) return;
    try {
      decode();
    } catch {
      this.#isUtf8 = false;
    }
  }
}

import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { toByteText } from '../kept-bytes.ts';

/** Bytes of a reply as text, as they come: UTF-8, a character split over two pieces included. */
export class ReplyText {
  /** From the first bytes on that are not ASCII: most replies do without. */
  #decoders: { readonly lenient: TextDecoder; readonly strict: TextDecoder } | undefined;
  #text = '';
  #isUtf8 = true;
  /** True where no character may be open. */
  #isAtStart = true;

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
    if (bytes.length === 0) return '';
    const isPlain = isAscii(bytes);
    const added = isPlain && this.#isAtStart ? toByteText(bytes) : this.#decode(bytes);
    this.#isAtStart = isPlain;
    this.#text += added;
    return added;
  }

  /** The end of the bytes: answers what a character that was cut adds. */
  end(): string {
    if (this.#isAtStart) return '';
    const added = this.#decode(undefined);
    this.#text += added;
    return added;
  }

  /** Undefined bytes are the end. */
  #decode(bytes: Uint8Array | undefined): string {
    const { lenient, strict } = (this.#decoders ??= {
      lenient: new TextDecoder('utf-8', { ignoreBOM: true }),
      strict: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
    });
    const options = { stream: bytes !== undefined };
    try {
      if (this.#isUtf8) strict.decode(bytes, options);
    } catch {
      this.#isUtf8 = false;
    }
    return lenient.decode(bytes, options);
  }
}

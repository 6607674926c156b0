import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { toByteText } from '../stored-bytes.ts';

/** Decodes the bytes of a reply as UTF-8 while they arrive, also if a character is split over two pieces. */
export class ReplyText {
  /** Created for the first bytes that are not ASCII: most replies have none. */
  #decoders: { readonly lenient: TextDecoder; readonly strict: TextDecoder } | undefined;
  #text = '';
  #isUtf8 = true;
  /** True if no character is incomplete. */
  #isAtStart = true;

  /** All text so far. */
  get text(): string {
    return this.#text;
  }

  /** False once bytes arrived that are not UTF-8; they appear as U+FFFD. */
  get isUtf8(): boolean {
    return this.#isUtf8;
  }

  /** Decodes bytes and returns the text that they add. */
  push(bytes: Uint8Array): string {
    if (bytes.length === 0) return '';
    const isPlain = isAscii(bytes);
    const added = isPlain && this.#isAtStart ? toByteText(bytes) : this.#decode(bytes);
    this.#isAtStart = isPlain;
    this.#text += added;
    return added;
  }

  /** Ends the text. Returns what a character that was cut off adds. */
  end(): string {
    if (this.#isAtStart) return '';
    const added = this.#decode(undefined);
    this.#text += added;
    return added;
  }

  /** Undefined bytes mean the end. */
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

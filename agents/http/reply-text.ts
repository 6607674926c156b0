import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { toByteText } from '../stored-bytes.ts';

/** Chunks are copied into blocks of about this many bytes: thousands of small ones would take many times their size. */
const BLOCK = 2 ** 16;

const LENIENT = { ignoreBOM: true } as const;
const STRICT = { fatal: true, ignoreBOM: true } as const;

/**
 * Decodes the bytes of a reply as UTF-8 while they arrive, also if a character is split over two pieces. Holds the bytes,
 * because a text with one character that is not Latin takes twice as much.
 */
export class ReplyText {
  /** Created for the first bytes that are not ASCII: most replies have none. */
  #decoders: { readonly lenient: TextDecoder; readonly strict: TextDecoder } | undefined;
  #isUtf8 = true;
  /** True if no character is incomplete. */
  #isAtStart = true;
  /** The text that was requested, and the bytes after it. */
  #text = '';
  readonly #decoder = new TextDecoder('utf-8', LENIENT);
  #blocks: Uint8Array[] = [];
  #chunks: Uint8Array[] = [];
  #length = 0;
  #isOver = false;
  #isRetained = true;

  /** All text so far that was retained, without a character that is incomplete. */
  get text(): string {
    this.#closeBlock();
    if (this.#blocks.length > 0 || this.#isOver) {
      const bytes = Buffer.concat(this.#blocks);
      this.#blocks = [];
      this.#text += this.#decoder.decode(bytes, { stream: !this.#isOver });
    }
    return this.#text;
  }

  /** False once bytes arrived that are not UTF-8; they appear as U+FFFD. */
  get isUtf8(): boolean {
    return this.#isUtf8;
  }

  /** Decodes bytes and returns the text that they add. */
  push(bytes: Uint8Array): string {
    if (bytes.length === 0) return '';
    if (this.#isRetained) this.#retain(bytes);
    const isPlain = isAscii(bytes);
    const added = isPlain && this.#isAtStart ? toByteText(bytes) : this.#decode(bytes);
    this.#isAtStart = isPlain;
    return added;
  }

  /** Ends the text. Returns what a character that was cut off adds. */
  end(): string {
    this.#isOver = true;
    return this.#isAtStart ? '' : this.#decode(undefined);
  }

  /** Retains no bytes that arrive from now on: `text` is the beginning of the text. */
  retainNoMore(): void {
    this.#isRetained = false;
  }

  #retain(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length >= BLOCK) this.#closeBlock();
  }

  #closeBlock(): void {
    if (this.#length === 0) return;
    this.#blocks.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
    this.#length = 0;
  }

  /** Undefined bytes mean the end. */
  #decode(bytes: Uint8Array | undefined): string {
    const { lenient, strict } = (this.#decoders ??= {
      lenient: new TextDecoder('utf-8', LENIENT),
      strict: new TextDecoder('utf-8', STRICT),
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

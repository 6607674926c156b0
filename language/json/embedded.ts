import { countWhile } from '../../core/text/number-list.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * A text that is embedded in a source with escapes of two characters each. Maps offsets in the decoded `text`
 * to the source and back.
 */
export class EmbeddedText {
  readonly text: string;
  /** The start of the text in the source. */
  readonly #start: number;
  /** The offsets in `text` of the characters that are escaped in the source, in order. */
  readonly #escaped: readonly number[];

  constructor(text: string, start: number, escaped: readonly number[] = []) {
    this.text = text;
    this.#start = start;
    this.#escaped = escaped;
  }

  /** Maps a span of the text to the source. Escapes are never split. */
  toSource({ start, end }: Span): Span {
    return { start: this.#sourceOf(start), end: this.#sourceOf(end) };
  }

  /** Maps an offset in the source to the text; inside an escape to its character. */
  toEmbedded(offset: number): number {
    const escaped = this.#escaped;
    const passed = countWhile(escaped.length, index => this.#endOf(index) <= offset);
    const at = offset - this.#start - passed;
    return Math.max(0, Math.min(at, escaped[passed] ?? Infinity, this.text.length));
  }

  #sourceOf(offset: number): number {
    const escapesBefore = countWhile(this.#escaped.length, index => (this.#escaped[index] ?? 0) < offset);
    return this.#start + offset + escapesBefore;
  }

  /** The end of an escape in the source. */
  #endOf(index: number): number {
    return this.#start + (this.#escaped[index] ?? 0) + index + 2;
  }
}

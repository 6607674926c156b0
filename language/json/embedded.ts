import { countWhile } from '../../core/text/count-while.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * A text that stands inside another one behind escapes of two characters each, and the way between the two: what is
 * found in `text` is shown at its place in the source, and what a user points at in the source is looked up in `text`.
 */
export class EmbeddedText {
  readonly text: string;
  /** Where the text starts in the source. */
  readonly #start: number;
  /** The offsets in `text` of the characters that an escape stands for, in their order. */
  readonly #escaped: readonly number[];

  constructor(text: string, start: number, escaped: readonly number[] = []) {
    this.text = text;
    this.#start = start;
    this.#escaped = escaped;
  }

  /** Where a span of the text stands in the source. Escapes are never cut apart. */
  toSource({ start, end }: Span): Span {
    return { start: this.#sourceOf(start), end: this.#sourceOf(end) };
  }

  /** The offset in the text of an offset in the source; inside an escape that of its character. */
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

  /** Where an escape ends in the source. */
  #endOf(index: number): number {
    return this.#start + (this.#escaped[index] ?? 0) + index + 2;
  }
}

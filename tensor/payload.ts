import { lastAtMost } from '../core/text/number-list.ts';
import type { Characters } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';
import { base85ByteLength, base85TextLength, BLOCK_LENGTH, checkBase85, decodeBase85 } from './base85.ts';

/**
 * The bytes of a valid Base85 payload, decoded on demand, so that reading a slice of a large tensor costs
 * only the slice. White space in the payload is skipped.
 */
export class Payload {
  /** The number of bytes of the payload. */
  readonly byteLength: number;
  readonly #text: Characters;
  readonly #span: Span;
  /** The number of characters before each block, without white space; undefined if there is no white space. */
  readonly #index: readonly number[] | undefined;

  private constructor(
    text: Characters,
    span: Span,
    byteLength: number,
    index: readonly number[] | undefined,
  ) {
    this.#text = text;
    this.#span = span;
    this.byteLength = byteLength;
    this.#index = index;
  }

  /** Checks the payload at a span of a text without decoding it; undefined if `checkBase85` finds a fault. */
  static of(text: Characters, span: Span): Payload | undefined {
    const index: number[] = [];
    const { characters, fault } = checkBase85(text, span.start, span.end, index);
    const byteLength = base85ByteLength(characters);
    if (fault || byteLength === undefined) return undefined;
    return new Payload(text, span, byteLength, characters === span.end - span.start ? undefined : index);
  }

  /**
   * The bytes `[from, to)`, both clamped to the payload. Reads only the characters of these bytes and, if the
   * payload contains white space, the blocks in which they begin and end.
   */
  read(from: number, to: number): Uint8Array {
    const start = Math.max(0, from);
    const end = Math.min(to, this.byteLength);
    if (start >= end) return new Uint8Array(0);
    const first = Math.floor(start / 4);
    const last = Math.ceil(end / 4);
    const lastEnd = last * 4 > this.byteLength ? this.#span.end : this.#offsetOf(last * 5);
    const bytes = decodeBase85(this.#text, this.#offsetOf(first * 5), lastEnd);
    return bytes?.subarray(start - first * 4, end - first * 4) ?? new Uint8Array(0);
  }

  /** The span in the text of the group that begins with a byte. */
  groupSpan(byte: number): Span {
    const first = (byte / 4) * 5;
    const characters = Math.min(5, base85TextLength(this.byteLength) - first);
    return { start: this.#offsetOf(first), end: this.#offsetOf(first + characters - 1) + 1 };
  }

  /**
   * The offset in the text of a character by its index without
   * white space; the end of the payload past the last one.
   */
  #offsetOf(character: number): number {
    const { start, end } = this.#span;
    if (!this.#index) return Math.min(start + character, end);
    const block = lastAtMost(this.#index, character);
    const blockStart = start + block * BLOCK_LENGTH;
    const text = this.#text.slice(blockStart, Math.min(end, blockStart + BLOCK_LENGTH));
    let missing = character - (this.#index[block] ?? 0);
    let at = 0;
    // In a valid payload, all characters up to the space are white space.
    for (; at < text.length; at++) if (text.charCodeAt(at) > 32 && missing-- === 0) break;
    return blockStart + at;
  }
}

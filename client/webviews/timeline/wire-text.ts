import { countCutCharacter } from '../../../protocol/src/text/utf8.ts';
import { decodeUtf8, readBytes } from '../../../protocol/src/trace/bytes.ts';
import type { KeptBytes, WireEvent } from '../../../protocol/src/trace/events.ts';
import { printHex } from '../../../protocol/src/trace/hex.ts';
import { sizeOf } from '../../../protocol/src/trace/marks.ts';
import { saidBy } from '../../../protocol/src/trace/said.ts';

/** Bytes shown at most as text, and as a hex dump. The trace keeps all of them. */
const MOST_TEXT = 256 * 1024;
const MOST_HEX = 16 * 1024;

/** What was on the wire in one direction, fit to be shown. */
export interface WireText {
  readonly kind: 'text' | 'hex';
  readonly text: string;
  /** Bytes in all. */
  readonly bytes: number;
  /** Bytes that are not shown. */
  readonly hidden: number;
}

/** Bytes that came compressed, beside what they say. */
export interface PackedText extends Pick<WireText, 'kind' | 'text'> {
  /** Bytes as they were on the wire. */
  readonly bytes: number;
}

/** Shows bytes as text where they are UTF-8, else as a hex dump. Reads each event once, as a stream is shown with every chunk. */
export class WireReader {
  readonly #pieces = new WeakMap<KeptBytes, Uint8Array>();

  /** What they say. */
  read(events: readonly WireEvent[]): WireText {
    return this.#show(events.map(saidBy));
  }

  /** The same bytes as they came; undefined where they were not compressed. */
  readPacked(events: readonly WireEvent[]): PackedText | undefined {
    if (!events.some(({ unpacked }) => unpacked)) return undefined;
    const { kind, text } = this.#show(events.map(event => event.bytes));
    return { kind, text, bytes: events.reduce((sum, event) => sum + sizeOf(event), 0) };
  }

  #show(kept: readonly KeptBytes[]): WireText {
    const pieces = kept.map(each => this.#piece(each));
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const start = joinUpTo(pieces, MOST_TEXT);
    const whole = start.subarray(0, start.length - countCutCharacter(start));
    const text = decodeUtf8(whole);
    if (text !== undefined) return { kind: 'text', text, bytes, hidden: bytes - whole.length };
    const dumped = start.subarray(0, MOST_HEX);
    return { kind: 'hex', text: printHex(dumped), bytes, hidden: bytes - dumped.length };
  }

  #piece(kept: KeptBytes): Uint8Array {
    const bytes = this.#pieces.get(kept) ?? readBytes(kept);
    this.#pieces.set(kept, bytes);
    return bytes;
  }
}

function joinUpTo(pieces: readonly Uint8Array[], most: number): Uint8Array {
  const length = Math.min(
    most,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    if (at >= length) break;
    const part = piece.subarray(0, length - at);
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

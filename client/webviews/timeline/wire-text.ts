import { countCutCharacter } from '../../../protocol/src/text/utf8.ts';
import { decodeUtf8, readBytes } from '../../../protocol/src/trace/bytes.ts';
import type { WireEvent } from '../../../protocol/src/trace/events.ts';
import { printHex } from '../../../protocol/src/trace/hex.ts';

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

/** Shows bytes as text where they are UTF-8, else as a hex dump. Reads each event once, as a stream is shown with every chunk. */
export class WireReader {
  readonly #pieces = new WeakMap<WireEvent, Uint8Array>();

  read(events: readonly WireEvent[]): WireText {
    const pieces = events.map(event => this.#piece(event));
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const start = joinUpTo(pieces, MOST_TEXT);
    const whole = start.subarray(0, start.length - countCutCharacter(start));
    const text = decodeUtf8(whole);
    if (text !== undefined) return { kind: 'text', text, bytes, hidden: bytes - whole.length };
    const dumped = start.subarray(0, MOST_HEX);
    return { kind: 'hex', text: printHex(dumped), bytes, hidden: bytes - dumped.length };
  }

  #piece(event: WireEvent): Uint8Array {
    const bytes = this.#pieces.get(event) ?? readBytes(event.bytes);
    this.#pieces.set(event, bytes);
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

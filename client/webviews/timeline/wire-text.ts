import { decodeUtf8, readBytes } from '../../../protocol/src/trace/bytes.ts';
import type { WireEvent } from '../../../protocol/src/trace/events.ts';

/** Bytes shown at most as text, and as a hex dump. The trace keeps all of them. */
const MOST_TEXT = 256 * 1024;
const MOST_HEX = 16 * 1024;
const HEX_WIDTH = 16;

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

/** A hex dump: offset, sixteen bytes, and the same as ASCII with a dot for what cannot be shown. */
export function printHex(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += HEX_WIDTH) {
    const row = [...bytes.subarray(at, at + HEX_WIDTH)];
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_WIDTH * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
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

/** How many bytes at the end begin a character and do not end it: our limit cut it, or the rest is on its way. */
function countCutCharacter(bytes: Uint8Array): number {
  for (let count = 1; count <= 3; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
    return size > count ? count : 0;
  }
  return 0;
}

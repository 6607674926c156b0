import { joinBytes } from '../text/join-bytes.ts';
import { countCutCharacter } from '../text/utf8.ts';
import { decodeUtf8 } from './bytes.ts';

/** The maximum number of bytes to show: as text, and as a hex dump, which takes about five times the space. */
export interface ShownLimits {
  readonly text: number;
  readonly other: number;
}

/** Bytes prepared for display. */
export interface ShownBytes {
  readonly kind: 'text' | 'hex';
  readonly text: string;
  /** The total number of bytes. */
  readonly bytes: number;
  /** The number of bytes that are not shown. */
  readonly hidden: number;
}

/** Formats bytes that arrived in pieces: as text if they are valid UTF-8, else as a hex dump. */
export function printBytes(pieces: readonly Uint8Array[], limits: ShownLimits): ShownBytes {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const start = joinBytes(pieces, limits.text);
  const whole = start.subarray(0, start.length - countCutCharacter(start));
  const text = decodeUtf8(whole);
  if (text !== undefined) return { kind: 'text', text, bytes, hidden: bytes - whole.length };
  const dumped = start.subarray(0, limits.other);
  return { kind: 'hex', text: printHex(dumped), bytes, hidden: bytes - dumped.length };
}

const HEX_WIDTH = 16;

/** A hex dump. Each line has the offset, 16 bytes, and their ASCII characters, with a dot for non-printable ones. */
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

import { joinBytes } from '../text/join-bytes.ts';
import { countCutCharacter } from '../text/utf8.ts';
import { decodeUtf8 } from './bytes.ts';
import { printHex } from './hex.ts';

/** How much is shown, in bytes: of what is text, and of what is not, which takes five times the room. */
export interface ShownLimits {
  readonly text: number;
  readonly other: number;
}

/** Bytes fit to be shown. */
export interface ShownBytes {
  readonly kind: 'text' | 'hex';
  readonly text: string;
  /** Bytes in all. */
  readonly bytes: number;
  /** Bytes that are not shown. */
  readonly hidden: number;
}

/** Shows bytes that came in pieces: as text where they are UTF-8, else as a hex dump. */
export function printBytes(pieces: readonly Uint8Array[], limits: ShownLimits): ShownBytes {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const start = joinBytes(pieces, limits.text);
  const whole = start.subarray(0, start.length - countCutCharacter(start));
  const text = decodeUtf8(whole);
  if (text !== undefined) return { kind: 'text', text, bytes, hidden: bytes - whole.length };
  const dumped = start.subarray(0, limits.other);
  return { kind: 'hex', text: printHex(dumped), bytes, hidden: bytes - dumped.length };
}

import { putCodes, textOf } from './utf8.ts';

/** The alphabet of RFC 4648 section 4, in the order of its digits. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const ALPHABET_CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0));
const PAD = '='.charCodeAt(0);

/** The two Base64 characters of each 12-bit number, the first one in the low byte. */
const PAIRS = Uint16Array.from(
  { length: 1 << 12 },
  (_, pair) => (ALPHABET_CODES[pair >> 6] ?? 0) | ((ALPHABET_CODES[pair & 63] ?? 0) << 8),
);

/** A bit that a character outside the alphabet sets in its group, so that one comparison detects it. */
const NO_DIGIT = 1 << 24;

/** What each character adds to the 24-bit value of its group, one table for each of the four positions. */
const [FIRST, SECOND, THIRD, FOURTH] = [18, 12, 6, 0].map(shift => {
  const table = new Int32Array(256).fill(NO_DIGIT);
  for (const [digit, code] of ALPHABET_CODES.entries()) table[code] = digit << shift;
  return table;
});

/**
 * The number of characters that one call decodes. It is a multiple of four, and small because engines
 * optimize functions that are called often.
 */
const BLOCK_LENGTH = 4 * 2_048;

/** Encodes bytes as padded Base64 (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const into = new DataView(codes.buffer);
  let to = 0;
  for (let at = 0; at < whole; at += 3, to += 4) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    into.setUint32(to, (PAIRS[group >> 12] ?? 0) | ((PAIRS[group & 0xfff] ?? 0) << 16), true);
  }
  if (whole < bytes.length) putTail(into, to, bytes.subarray(whole));
  return textOf(codes);
}

/** Writes the last group, of one or two bytes, with its padding. */
function putTail(into: DataView, to: number, tail: Uint8Array): void {
  const [first = 0, second] = tail;
  const group = (first << 16) | ((second ?? 0) << 8);
  into.setUint16(to, PAIRS[group >> 12] ?? 0, true);
  into.setUint8(to + 2, second === undefined ? PAD : (ALPHABET_CODES[(group >> 6) & 63] ?? 0));
  into.setUint8(to + 3, PAD);
}

/**
 * Decodes Base64 as `encodeBase64` writes it. Undefined for other alphabets, white space, missing padding or
 * non-zero unused bits, so two different texts never decode to the same bytes.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const whole = padding > 0 ? text.length - 4 : text.length;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const codes = new Uint8Array(1 + Math.min(BLOCK_LENGTH, text.length));
  for (let from = 0; from < whole; from += BLOCK_LENGTH) {
    const count = putCodes(text.slice(from, Math.min(whole, from + BLOCK_LENGTH)), codes);
    if (!decodeGroups(codes, count, bytes, (from / 4) * 3)) return undefined;
  }
  if (padding === 0) return bytes;
  return decodeTail(text.slice(whole, text.length - padding), bytes, (whole / 4) * 3) ? bytes : undefined;
}

/** Decodes whole groups into `bytes` at `byteAt`; false if a group is invalid. */
function decodeGroups(codes: Uint8Array, count: number, bytes: Uint8Array, byteAt: number): boolean {
  let to = byteAt;
  let seen = 0;
  for (let at = 0; at < count; at += 4) {
    const group = groupAt(codes, at);
    seen |= group;
    bytes[to++] = group >> 16;
    bytes[to++] = group >> 8;
    bytes[to++] = group;
  }
  return seen < NO_DIGIT;
}

/** The 24-bit value of the four characters at `at`; `NO_DIGIT` or more if one of them is not a digit. */
function groupAt(codes: Uint8Array, at: number): number {
  return (
    (FIRST?.[codes[at] ?? 0] ?? 0) |
    (SECOND?.[codes[at + 1] ?? 0] ?? 0) |
    (THIRD?.[codes[at + 2] ?? 0] ?? 0) |
    (FOURTH?.[codes[at + 3] ?? 0] ?? 0)
  );
}

/** Decodes the last group of one or two bytes; false if it is invalid. */
function decodeTail(tail: string, bytes: Uint8Array, byteAt: number): boolean {
  const codes = new Uint8Array(5);
  if (putCodes(tail.padEnd(4, 'A'), codes) !== 4) return false;
  const group = groupAt(codes, 0);
  const unused = tail.length === 2 ? 0xffff : 0xff;
  if (group >= NO_DIGIT || (group & unused) !== 0) return false;
  bytes[byteAt] = group >> 16;
  if (tail.length === 3) bytes[byteAt + 1] = group >> 8;
  return true;
}

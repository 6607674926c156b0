import { decodeBase64 } from '../text/base64.ts';
import { findBadByte, utf8Length, countCutCharacter } from '../text/utf8.ts';
import type { StoredBytes } from './events.ts';

const PIECE = 8192;

/** The stored bytes. Base64 that is cut or contains other characters is decoded as far as it is valid. */
export function readBytes(stored: StoredBytes): Uint8Array {
  return 'text' in stored ? encodeUtf8(stored.text) : readBase64(stored.base64);
}

/** A text as UTF-8; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let to = 0;
  for (let at = 0; at < text.length; at++) {
    const code = codePointOrReplacement(text, at);
    if (code < 0x80) {
      bytes[to++] = code;
    } else if (code < 0x800) {
      bytes[to++] = 0xc0 | (code >> 6);
      bytes[to++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[to++] = 0xe0 | (code >> 12);
      bytes[to++] = 0x80 | ((code >> 6) & 63);
      bytes[to++] = 0x80 | (code & 63);
    } else {
      bytes[to++] = 0xf0 | (code >> 18);
      bytes[to++] = 0x80 | ((code >> 12) & 63);
      bytes[to++] = 0x80 | ((code >> 6) & 63);
      bytes[to++] = 0x80 | (code & 63);
      at++;
    }
  }
  return bytes;
}

function codePointOrReplacement(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0xfffd;
  return code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
}

/** Decodes UTF-8; undefined for invalid bytes, including a character that is cut at the end. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (findBadByte(bytes) !== undefined) return undefined;
  const parts: string[] = [];
  let codes: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = size === 1 ? first : first & (0x7f >> size);
    for (let next = 1; next < size; next++) code = (code << 6) | ((bytes[at + next] ?? 0) & 63);
    codes.push(code);
    at += size;
    if (codes.length === PIECE) {
      parts.push(String.fromCodePoint(...codes));
      codes = [];
    }
  }
  parts.push(String.fromCodePoint(...codes));
  return parts.join('');
}

/** True for valid Base64, with or without padding. */
export function isBase64(text: string): boolean {
  const end = text.search(NO_DIGIT);
  const digits = end === -1 ? text.length : end;
  return digits % 4 !== 1 && (end === -1 || /^={1,2}$/.test(text.slice(end)));
}

const NO_DIGIT = /[^A-Za-z0-9+/]/;

/** Decodes Base64 up to the first character outside the alphabet, such as padding, or to the end if it is cut. */
function readBase64(text: string): Uint8Array {
  const end = text.search(NO_DIGIT);
  const digits = end === -1 ? text : text.slice(0, end);
  // Completes the last group with zero bits; the bytes that only they produce are removed again.
  const bytes = decodeBase64(digits.padEnd(Math.ceil(digits.length / 4) * 4, 'A'));
  return bytes?.subarray(0, Math.floor((digits.length * 3) / 4)) ?? new Uint8Array(0);
}

/** Concatenates byte arrays, up to `most` bytes. */
export function joinBytes(parts: readonly Uint8Array[], most = Infinity): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const part of parts) {
    if (at === bytes.length) break;
    const fitting = part.subarray(0, bytes.length - at);
    bytes.set(fitting, at);
    at += fitting.length;
  }
  return bytes;
}

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

const NOTHING = /* @__PURE__ */ new Uint8Array(0);

/** Decodes UTF-8 bytes that arrive in pieces, which may split a character. Each invalid byte becomes U+FFFD. Linear. */
export class Utf8Reader {
  #waiting = NOTHING;

  push(retained: StoredBytes): string {
    if ('text' in retained && this.#waiting.length === 0) return retained.text;
    const came = readBytes(retained);
    const bytes = this.#waiting.length === 0 ? came : joinBytes([this.#waiting, came]);
    const cut = countCutCharacter(bytes);
    this.#waiting = bytes.slice(bytes.length - cut);
    return decode(bytes.subarray(0, bytes.length - cut));
  }

  /** Decodes the rest of an incomplete character. */
  end(): string {
    const left = decode(this.#waiting);
    this.#waiting = NOTHING;
    return left;
  }
}

function decode(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const rest = bytes.subarray(from);
    const bad = findBadByte(rest);
    parts.push(decodeUtf8(rest.subarray(0, bad ?? rest.length)) ?? '');
    if (bad === undefined) break;
    parts.push('\u{fffd}');
    from += bad + 1;
  }
  return parts.join('');
}

import { decodeBase64 } from '../text/base64.ts';
import { countCutCharacter } from '../text/utf8.ts';
import type { StoredBytes } from './events.ts';

/** Globals of every host we run in, which the ECMAScript type library lacks. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: true; readonly fatal?: true },
) => { decode(bytes?: Uint8Array, options?: { readonly stream: true }): string };

const ENCODER = /* @__PURE__ */ new TextEncoder();
const STRICT = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** The stored bytes. Base64 that is cut or contains other characters is decoded as far as it is valid. */
export function readBytes(stored: StoredBytes): Uint8Array {
  return 'text' in stored ? encodeUtf8(stored.text) : readBase64(stored.base64);
}

/** A text as UTF-8; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** Decodes UTF-8; undefined for invalid bytes, including a character that is cut at the end. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
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

/** Decodes stored bytes that arrive in pieces, which may split a character. Invalid bytes become U+FFFD. */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  push(stored: StoredBytes): string {
    return 'text' in stored
      ? this.end() + stored.text
      : this.#decoder.decode(readBytes(stored), { stream: true });
  }

  /** Decodes the rest of an incomplete character. */
  end(): string {
    return this.#decoder.decode();
  }
}

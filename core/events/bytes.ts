import { decodeBase64 } from '../text/base64.ts';
import { findBadByte, utf8Length } from '../text/utf8.ts';
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

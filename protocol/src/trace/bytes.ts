import { findBadByte, utf8Length } from '../text/utf8.ts';
import type { KeptBytes } from './events.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PIECE = 8192;

/** Bytes as a trace keeps them: as text where they are whole UTF-8, else as base64, so that nothing is lost. */
export function keepBytes(bytes: Uint8Array): KeptBytes {
  const text = decodeUtf8(bytes);
  return text === undefined ? { base64: encodeBase64(bytes) } : { text };
}

/** The bytes that were kept. A base64 text that is cut or holds other characters gives what it holds. */
export function readBytes(kept: KeptBytes): Uint8Array {
  return 'text' in kept ? encodeUtf8(kept.text) : decodeBase64(kept.base64);
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

/** The text of UTF-8 bytes, or undefined where they are not UTF-8 (a character that is cut at the end included). */
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

/** Bytes in base64 (RFC 4648 section 4), padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  let piece = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const have = bytes.length - at;
    piece += BASE64.charAt(a >> 2) + BASE64.charAt(((a & 3) << 4) | (b >> 4));
    piece += have > 1 ? BASE64.charAt(((b & 15) << 2) | (c >> 6)) : '=';
    piece += have > 2 ? BASE64.charAt(c & 63) : '=';
    if (piece.length < PIECE) continue;
    parts.push(piece);
    piece = '';
  }
  parts.push(piece);
  return parts.join('');
}

function decodeBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let group = 0;
  let bits = 0;
  for (const character of text) {
    const digit = BASE64.indexOf(character);
    if (digit === -1) break;
    group = ((group << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((group >> bits) & 0xff);
  }
  return Uint8Array.from(bytes);
}

import { countWhile } from './number-list.ts';

const NOT_ASCII = /[\u0080-\uffff]/;

/** The length of a text in UTF-8 bytes; a lone surrogate counts three, like U+FFFD. */
export function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? ENCODER.encode(text).length : text.length;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The first `length` code units of a text, one fewer if that would split a surrogate pair. */
export function startOf(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * The offset of the first byte that is not part of a well-formed UTF-8 sequence (Unicode 3.9, table 3-7);
 * undefined if all bytes are well-formed.
 */
export function findBadByte(bytes: Uint8Array): number | undefined {
  const whole = isDecoded(bytes)
    ? bytes.length
    : countWhile(bytes.length, at => isDecoded(bytes.subarray(0, at + 1)));
  const bad = whole - countCutCharacter(bytes.subarray(0, whole));
  return bad < bytes.length ? bad : undefined;
}

/** True for well-formed UTF-8, of which the last character may be incomplete. */
function isDecoded(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The number of bytes at the end that begin a character without completing it. */
export function countCutCharacter(bytes: Uint8Array): number {
  for (let count = 1; count <= 3; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
    return size > count ? count : 0;
  }
  return 0;
}

/**
 * Globals of every host we run in, which the ECMAScript type
 * library lacks. A loop over `charCodeAt` is four times slower.
 */
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
};
declare const TextDecoder: new (
  encoding?: 'utf-8',
  options?: { readonly fatal: true },
) => { decode(bytes: Uint8Array, options?: { readonly stream: true }): string };

const ENCODER = /* @__PURE__ */ new TextEncoder();
const DECODER = /* @__PURE__ */ new TextDecoder();

/** The code that marks a character outside ASCII. */
const NOT_ASCII_CODE = 255;

/**
 * Writes the ASCII codes of a text into `codes` and returns their number. The first character that is not ASCII is
 * written as a code above 127; codes after it are meaningless. `codes` must be one longer than the text.
 */
export function putCodes(text: string, codes: Uint8Array): number {
  const { read, written } = ENCODER.encodeInto(text, codes);
  if (read === text.length) return written;
  // The buffer had no space for a character of several bytes.
  codes[written] = NOT_ASCII_CODE;
  return written + 1;
}

/** The text that has these ASCII codes. */
export function textOf(codes: Uint8Array): string {
  return DECODER.decode(codes);
}

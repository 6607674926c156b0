const NOT_ASCII = /[\u0080-\uffff]/;

/** The length of a text in UTF-8 bytes; a lone surrogate counts three, like U+FFFD. */
export function utf8Length(text: string): number {
  // Most texts are ASCII, and one search by the engine is faster than a loop.
  if (!NOT_ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes++;
    else if (code < 0x800) bytes += 2;
    else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += 3;
  }
  return bytes;
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
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return undefined;
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

/** The length of the well-formed sequence at an offset; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let next = 1; next < length; next++) {
    const [low, high] = next === 1 ? secondRange(first) : [0x80, 0xbf];
    const byte = bytes[at + next] ?? 0;
    if (byte < low || byte > high) return 0;
  }
  return length;
}

/** The range of valid second bytes, which excludes overlong forms, surrogates and code points above U+10FFFF. */
function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

/**
 * Globals of every host we run in, which the ECMAScript type
 * library lacks. A loop over `charCodeAt` is four times slower.
 */
declare const TextEncoder: new () => {
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
};
declare const TextDecoder: new () => { decode(codes: Uint8Array): string };

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

const NOT_ASCII = /[\u0080-\uffff]/;

/** The bytes that a text takes in UTF-8; a lone surrogate counts three, as U+FFFD does. */
export function utf8Length(text: string): number {
  // One search by the engine is faster than a loop, and most texts are ASCII.
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

/** The beginning of a text, of at most so many characters; never half of one. */
export function startOf(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * The offset of the first byte that begins no whole UTF-8 sequence, after the table of well-formed sequences in the
 * Unicode standard (3.9, table 3-7); undefined where all of it is UTF-8.
 */
export function findBadByte(bytes: Uint8Array): number | undefined {
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return undefined;
}

/** How many bytes at the end begin a character and do not end it: a limit cut it, or the rest is on its way. */
export function countCutCharacter(bytes: Uint8Array): number {
  for (let count = 1; count <= 3; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
    return size > count ? count : 0;
  }
  return 0;
}

/** The length of the sequence at an offset, 0 where there is none. */
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

/** The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf];
  if (first === 0xed) return [0x80, 0x9f];
  if (first === 0xf0) return [0x90, 0xbf];
  if (first === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

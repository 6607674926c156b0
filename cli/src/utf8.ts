/** Text, or the offset of the first byte that is not UTF-8 with the text before it. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly hasBom: boolean }
  | { readonly ok: false; readonly badByte: number; readonly textBefore: string };

const BOM = '\uFEFF';

/** Decodes UTF-8 strictly. A byte order mark is taken off and noted: editors do not count it either. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const badByte = findBadByte(bytes);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  if (badByte !== undefined) {
    return { ok: false, badByte, textBefore: decoder.decode(bytes.subarray(0, badByte)) };
  }
  const text = decoder.decode(bytes);
  return text.startsWith(BOM)
    ? { ok: true, text: text.slice(1), hasBom: true }
    : { ok: true, text, hasBom: false };
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

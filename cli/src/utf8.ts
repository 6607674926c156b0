import { findBadByte } from '../../core/text/utf8.ts';

/** The decoded text, or the offset of the first byte that is not UTF-8 and the text before it. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly hasBom: boolean }
  | { readonly ok: false; readonly badByte: number; readonly textBefore: string };

const BOM = '\uFEFF';

/** Decodes UTF-8 strictly. A byte order mark is removed and reported as `hasBom`, because editors do not count it. */
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

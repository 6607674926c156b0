/** Globals of every host we run in, which the ECMAScript type library lacks. */
declare const atob: (text: string) => string;
declare const btoa: (binary: string) => string;

/** The number of bytes that are encoded at a time: a multiple of three, and few enough for the arguments of a call. */
const PIECE = 3 * 1_024;
const NO_DIGIT = /[^A-Za-z0-9+/]/;

/** Encodes bytes as padded Base64 (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += btoa(String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + PIECE))));
  return text;
}

/**
 * Decodes Base64 as `encodeBase64` writes it. Undefined for other alphabets, white space, missing padding or
 * non-zero unused bits, so two different texts never decode to the same bytes.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0 || NO_DIGIT.test(text.slice(0, text.length - padding))) return undefined;
  const tail = text.slice(-4);
  if (btoa(atob(tail)) !== tail) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

import { decodeBase64 } from '../core/text/base64.ts';
import { base85TextLength } from './base85.ts';

/** A text encoding of bytes that other libraries use instead of RFC 1924. */
interface Variant {
  readonly name: string;
  /** Decodes a payload without white space, which should have `length` bytes; undefined if it is not in this encoding. */
  readonly decode: (payload: string, length: number) => Uint8Array | undefined;
}

const Z85_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#';
/** Ascii85 uses the 85 characters from `!` as digits, and `z` for four zero bytes. */
const ASCII85_ALPHABET = String.fromCharCode(...Array.from({ length: 85 }, (_, digit) => 33 + digit));

const VARIANTS: readonly Variant[] = [
  { name: 'Z85', decode: (payload, length) => decodeZ85(payload, length) },
  { name: 'Ascii85', decode: (payload, length) => decodeAscii85(payload, length) },
  { name: 'base64', decode: payload => decodeBase64(payload) },
];

const NO_DIGIT = 255;

/**
 * The only variant in which a payload decodes to exactly `length` bytes; undefined if none or several match.
 * Linear in the payload, whatever the value of `length`.
 */
export function findVariant(
  payload: string,
  length: number,
): { readonly name: string; readonly bytes: Uint8Array } | undefined {
  const plain = payload.replace(/[ \t\r\n]+/g, '');
  // Each variant needs at least one character for four bytes, so a
  // `length` that cannot match is rejected before bytes are allocated.
  if (length > plain.length * 4) return undefined;
  const found = VARIANTS.flatMap(({ name, decode }) => {
    const bytes = decode(plain, length);
    return bytes?.length === length ? [{ name, bytes }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Decodes Z85 (ZeroMQ RFC 32), which has complete groups only. */
function decodeZ85(payload: string, length: number): Uint8Array | undefined {
  return length % 4 === 0 && payload.length === (length / 4) * 5
    ? decodeGroups(payload, length, Z85_DIGITS)
    : undefined;
}

/** Decodes Ascii85 as written by Adobe and Python's `a85encode`, with or without `<~` and `~>`. */
function decodeAscii85(payload: string, length: number): Uint8Array | undefined {
  const framed = payload.startsWith('<~') && payload.endsWith('~>') ? payload.slice(2, -2) : payload;
  const whole = expandZeros(framed);
  return whole?.length === base85TextLength(length) ? decodeGroups(whole, length, ASCII85_DIGITS) : undefined;
}

/** Expands each `z`; undefined if one is inside a group. */
function expandZeros(payload: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (let at = payload.indexOf('z'); at >= 0; at = payload.indexOf('z', from)) {
    if ((at - from) % 5 !== 0) return undefined;
    parts.push(payload.slice(from, at), '!!!!!');
    from = at + 1;
  }
  return parts.join('') + payload.slice(from);
}

/** Decodes groups of five characters to four big-endian bytes; the last group is completed with the highest digit. */
function decodeGroups(payload: string, length: number, digits: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  for (let at = 0, to = 0; at < payload.length; at += 5, to += 4) {
    let group = 0;
    for (let index = at; index < at + 5; index++) {
      const digit = index < payload.length ? digitOf(digits, payload.charCodeAt(index)) : 84;
      if (digit === NO_DIGIT) return undefined;
      group = group * 85 + digit;
    }
    if (group > 0xffff_ffff) return undefined;
    for (let index = 0; index < 4 && to + index < length; index++)
      bytes[to + index] = group / 2 ** (24 - 8 * index);
  }
  return bytes;
}

function digitOf(digits: Uint8Array, code: number): number {
  return code < 128 ? (digits[code] ?? NO_DIGIT) : NO_DIGIT;
}

const Z85_DIGITS = tabulate(Z85_ALPHABET);
const ASCII85_DIGITS = tabulate(ASCII85_ALPHABET);

/** The digit of each ASCII character of an alphabet. */
function tabulate(alphabet: string): Uint8Array {
  const digits = new Uint8Array(128).fill(NO_DIGIT);
  for (let digit = 0; digit < alphabet.length; digit++) digits[alphabet.charCodeAt(digit)] = digit;
  return digits;
}

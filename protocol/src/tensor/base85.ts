/** The RFC 1924 alphabet in the order of its digits, as Python's `base64.b85encode` writes it. */
export const BASE85_ALPHABET =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

const NO_DIGIT = 255;
const GROUP_LIMIT = 0x1_0000_0000;

/** The digit of each ASCII character; 255 for one that is not in the alphabet. */
const DIGITS = buildDigits();

function buildDigits(): Uint8Array {
  const digits = new Uint8Array(128).fill(NO_DIGIT);
  for (let digit = 0; digit < 85; digit++) digits[BASE85_ALPHABET.charCodeAt(digit)] = digit;
  return digits;
}

/** The digit of a UTF-16 code unit, or undefined where it is not in the alphabet. */
export function base85Digit(code: number): number | undefined {
  const digit = code < 128 ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT;
  return digit === NO_DIGIT ? undefined : digit;
}

/** How many bytes a payload of `characters` (white space not counted) holds; undefined for a tail of one character. */
export function base85ByteLength(characters: number): number | undefined {
  const tail = characters % 5;
  return tail === 1 ? undefined : Math.floor(characters / 5) * 4 + Math.max(0, tail - 1);
}

/** How many characters `bytes` bytes take: 4 bytes to 5 characters, a tail of n bytes to n + 1. */
export function base85TextLength(bytes: number): number {
  const tail = bytes % 4;
  return Math.floor(bytes / 4) * 5 + (tail === 0 ? 0 : tail + 1);
}

/** A fault in a payload, at an offset in UTF-16 code units from its start. */
export type Base85Fault =
  | { readonly kind: 'character'; readonly at: number }
  | { readonly kind: 'short-tail'; readonly at: number }
  | { readonly kind: 'overflow'; readonly at: number };

export interface Base85Check {
  /** Characters that count: white space is left out. */
  readonly characters: number;
  /** The first fault. */
  readonly fault: Base85Fault | undefined;
  /** Offset of the first blank that is neither a line end nor directly after one with its blanks. */
  readonly strayBlank: number | undefined;
  /** True where bits of the tail that no byte uses are set. */
  readonly hasUnusedBits: boolean;
}

/**
 * Checks `text[start, end)` as Base85 without decoding it (reading of LightAICL 3.3): the alphabet, groups over
 * 2^32-1, the tail. White space inside is passed over. Linear; allocates nothing that depends on the length.
 */
export function checkBase85(text: string, start: number, end: number): Base85Check {
  let characters = 0;
  let group = 0;
  let inGroup = 0;
  let groupAt = 0;
  let strayBlank: number | undefined;
  let afterLineEnd = false;
  const failed = (fault: Base85Fault): Base85Check => ({
    characters,
    fault,
    strayBlank,
    hasUnusedBits: false,
  });
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const digit = code < 128 ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT;
    if (digit === NO_DIGIT) {
      if (code === 10 || code === 13) {
        afterLineEnd = true;
        continue;
      }
      if (code !== 32 && code !== 9) return failed({ kind: 'character', at: at - start });
      if (!afterLineEnd) strayBlank ??= at - start;
      continue;
    }
    afterLineEnd = false;
    characters++;
    if (inGroup === 0) groupAt = at - start;
    group = group * 85 + digit;
    if (++inGroup === 5) {
      if (group >= GROUP_LIMIT) return failed({ kind: 'overflow', at: groupAt });
      group = 0;
      inGroup = 0;
    }
  }
  if (inGroup === 1) return failed({ kind: 'short-tail', at: groupAt });
  const whole = inGroup === 0 ? 0 : completeTail(group, inGroup);
  if (whole >= GROUP_LIMIT) return failed({ kind: 'overflow', at: groupAt });
  const hasUnusedBits = inGroup > 0 && group !== shortestTail(whole, inGroup);
  return { characters, fault: undefined, strayBlank, hasUnusedBits };
}

/** A tail is completed with `~`, the highest digit, before it is read. */
function completeTail(group: number, characters: number): number {
  let whole = group;
  for (let have = characters; have < 5; have++) whole = whole * 85 + 84;
  return whole;
}

/** The tail that an encoder writes for the bytes that a completed tail decodes to. */
function shortestTail(whole: number, characters: number): number {
  const unused = 2 ** (8 * (5 - characters));
  const padded = whole - (whole % unused);
  return Math.floor(padded / 85 ** (5 - characters));
}

/** Encodes bytes, four to five characters, big-endian. */
export function encodeBase85(bytes: Uint8Array): string {
  const parts: string[] = [];
  let codes: number[] = [];
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) {
    pushDigits(codes, readGroup(bytes, at), 5);
    if (codes.length > 8000) {
      parts.push(String.fromCharCode(...codes));
      codes = [];
    }
  }
  if (whole < bytes.length) pushDigits(codes, readGroup(bytes, whole), bytes.length - whole + 1);
  parts.push(String.fromCharCode(...codes));
  return parts.join('');
}

function readGroup(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function pushDigits(codes: number[], group: number, count: number): void {
  let divisor = 85 ** 4;
  for (let digit = 0; digit < count; digit++) {
    codes.push(BASE85_ALPHABET.charCodeAt(Math.floor(group / divisor) % 85));
    divisor /= 85;
  }
}

/**
 * Decodes `text`, passing over white space. Answers undefined where `checkBase85` finds a fault. Allocates what the
 * text's own length asks for, whatever a shape declares.
 */
export function decodeBase85(text: string): Uint8Array | undefined {
  const found = checkBase85(text, 0, text.length);
  const length = base85ByteLength(found.characters);
  if (found.fault || length === undefined) return undefined;
  const bytes = new Uint8Array(length);
  let to = 0;
  let group = 0;
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = base85Digit(text.charCodeAt(at));
    if (digit === undefined) continue;
    group = group * 85 + digit;
    if (++inGroup < 5) continue;
    for (let shift = 24; shift >= 0; shift -= 8) bytes[to++] = group / 2 ** shift;
    group = 0;
    inGroup = 0;
  }
  if (inGroup > 0) {
    const whole = completeTail(group, inGroup);
    for (let shift = 24; to < length; shift -= 8) bytes[to++] = whole / 2 ** shift;
  }
  return bytes;
}

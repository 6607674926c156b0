import type { Characters } from '../text/source-text.ts';

/** The RFC 1924 alphabet in the order of its digits, as Python's `base64.b85encode` writes it. */
export const BASE85_ALPHABET =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

const ALPHABET_CODES = Uint8Array.from(BASE85_ALPHABET, character => character.charCodeAt(0));
const NO_DIGIT = 255;
const GROUP_LIMIT = 0x1_0000_0000;

/** The digit of each ASCII character; 255 for one that is not in the alphabet. */
const DIGITS = buildDigits();

/** The two digits of each pair of ASCII characters as one number: a group is read in three steps. */
const NO_PAIR = 0x2000;
const PAIRS = buildPairs();

function buildPairs(): Uint16Array {
  const pairs = new Uint16Array(128 * 128).fill(NO_PAIR);
  for (const [high, first] of ALPHABET_CODES.entries())
    for (const [low, second] of ALPHABET_CODES.entries()) pairs[(first << 7) | second] = high * 85 + low;
  return pairs;
}

function buildDigits(): Uint8Array {
  const digits = new Uint8Array(128).fill(NO_DIGIT);
  for (let digit = 0; digit < 85; digit++) digits[BASE85_ALPHABET.charCodeAt(digit)] = digit;
  return digits;
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
  /** Offset of the tail where bits of it are set that belong to no byte. */
  readonly oddTail: number | undefined;
}

/** So much of a payload is looked at in one piece: a text may be kept in pieces of its own. */
const BLOCK_LENGTH = 65_536;
/** A group is too large from these first three digits on, taken as one number; beside that, the last two decide. */
const LAST_HIGH = Math.floor((GROUP_LIMIT - 1) / 7225);
const LAST_LOW = (GROUP_LIMIT - 1) % 7225;

/**
 * Checks `text[start, end)` as Base85 without decoding it (reading of LightAICL 3.3): the alphabet, groups over
 * 2^32-1, the tail. White space inside is passed over. Linear; allocates nothing that depends on the length.
 */
export function checkBase85(text: Characters, start: number, end: number): Base85Check {
  const checker = new Base85Checker();
  for (let at = start; at < end && !checker.fault; at += BLOCK_LENGTH)
    checker.read(text.slice(at, Math.min(end, at + BLOCK_LENGTH)), at - start);
  return checker.finish();
}

class Base85Checker {
  #characters = 0;
  #group = 0;
  #inGroup = 0;
  #groupAt = 0;
  #strayBlank: number | undefined;
  #afterLineEnd = false;
  fault: Base85Fault | undefined;

  /** Reads the next piece of the payload; `offset` is where it stands in it. */
  read(block: string, offset: number): void {
    let at = 0;
    while (at < block.length && !this.fault) {
      if (this.#inGroup === 0) {
        const next = skipGroups(block, at, 0);
        this.#characters += next - at;
        if (next > at) this.#afterLineEnd = false;
        at = next;
      }
      if (at < block.length) this.#readOne(block.charCodeAt(at), offset + at);
      at++;
    }
  }

  #readOne(code: number, at: number): void {
    const digit = code < 128 ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT;
    if (digit === NO_DIGIT) {
      if (code === 10 || code === 13) this.#afterLineEnd = true;
      else if (code !== 32 && code !== 9) this.fault = { kind: 'character', at };
      else if (!this.#afterLineEnd) this.#strayBlank ??= at;
      return;
    }
    this.#afterLineEnd = false;
    this.#characters++;
    if (this.#inGroup === 0) this.#groupAt = at;
    this.#group = this.#group * 85 + digit;
    if (++this.#inGroup < 5) return;
    if (this.#group >= GROUP_LIMIT) this.fault = { kind: 'overflow', at: this.#groupAt };
    this.#group = 0;
    this.#inGroup = 0;
  }

  finish(): Base85Check {
    const inGroup = this.#inGroup;
    const whole = inGroup === 0 ? 0 : completeTail(this.#group, inGroup);
    if (!this.fault && inGroup === 1) this.fault = { kind: 'short-tail', at: this.#groupAt };
    else if (!this.fault && whole >= GROUP_LIMIT) this.fault = { kind: 'overflow', at: this.#groupAt };
    const isSound = this.fault === undefined;
    return {
      characters: this.#characters,
      fault: this.fault,
      strayBlank: isSound ? this.#strayBlank : undefined,
      oddTail:
        isSound && inGroup > 0 && this.#group !== shortestTail(whole, inGroup) ? this.#groupAt : undefined,
    };
  }
}

/**
 * The offset after the whole groups that stand from `from` on without a blank or a fault between or in them, and that
 * have none of the bits set.
 */
function skipGroups(block: string, from: number, bits: number): number {
  let at = from;
  for (; at + 5 <= block.length; at += 5) {
    const first = digitAt(block, at);
    const middle = pairAt(block, at + 1);
    const last = pairAt(block, at + 3);
    // What is no digit has a bit above all that digits have; halves of a group are small integers.
    if ((first | ((middle | last) >> 6)) > 127) break;
    const high = first * 7225 + middle;
    if (high > LAST_HIGH || (high === LAST_HIGH && last > LAST_LOW)) break;
    if (((Math.imul(high, 7225) + last) & bits) !== 0) break;
  }
  return at;
}

/** Two digits as one number; NO_PAIR where one of them is none. */
function pairAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return (first | second) < 128 ? (PAIRS[(first << 7) | second] ?? NO_PAIR) : NO_PAIR;
}

/** The digit at an offset; NO_DIGIT where there is none, behind the end too. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT;
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

/** So many character codes are made a text at once: a call takes no more arguments. */
const CODES_LENGTH = 8_000;

/** Encodes bytes, four to five characters, big-endian. */
export function encodeBase85(bytes: Uint8Array): string {
  // An array, because the engine spreads typed ones slowly.
  let codes: number[] = [];
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    pushDigits(codes, readGroup(bytes, at), Math.min(5, bytes.length - at + 1));
    if (codes.length < CODES_LENGTH) continue;
    text += String.fromCharCode(...codes);
    codes = [];
  }
  return text + String.fromCharCode(...codes);
}

/** The group of four bytes at an offset; bytes past the end are 0. */
function readGroup(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  const low = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  return high * 0x1_0000 + low;
}

function pushDigits(codes: number[], group: number, count: number): void {
  // Halves of a group are small integers, which the engine divides fast.
  const high = Math.floor(group / 7225);
  const low = group - high * 7225;
  codes.push(codeOf((high / 7225) | 0), codeOf(((high / 85) | 0) % 85));
  if (count > 2) codes.push(codeOf(high % 85));
  if (count > 3) codes.push(codeOf((low / 85) | 0));
  if (count > 4) codes.push(codeOf(low % 85));
}

function codeOf(digit: number): number {
  return ALPHABET_CODES[digit] ?? 0;
}

/** The tail that an encoder writes for the bytes of a sound tail. */
export function plainTail(tail: string): string {
  const bytes = decodeBase85(tail);
  return bytes ? encodeBase85(bytes) : tail;
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
  // Groups of zeros are passed over: the bytes are 0 already.
  visitGroups(text, 0, text.length, -1, (group, count, at) => {
    bytes[at] = group >>> 24;
    if (count > 1) bytes[at + 1] = group >>> 16;
    if (count > 2) bytes[at + 2] = group >>> 8;
    if (count > 3) bytes[at + 3] = group;
  });
  return bytes;
}

/** What is done with a group: its bytes as a big-endian number, how many, the index of the first, where it is written. */
export type GroupVisitor = (group: number, count: number, byteAt: number, start: number, end: number) => void;

/**
 * Visits the groups of `text[start, end)`, which `checkBase85` found sound, without keeping their bytes. Most of those
 * that have none of the bits set are passed over.
 */
export function visitGroups(
  text: Characters,
  start: number,
  end: number,
  bits: number,
  visit: GroupVisitor,
): void {
  let [group, inGroup, groupAt, last, byteAt] = [0, 0, start, start, 0];
  for (let from = start; from < end; from += BLOCK_LENGTH) {
    const block = text.slice(from, Math.min(end, from + BLOCK_LENGTH));
    for (let at = 0; at < block.length; at++) {
      if (inGroup === 0) {
        const next = skipGroups(block, at, bits);
        byteAt += ((next - at) / 5) * 4;
        at = next;
      }
      const digit = digitAt(block, at);
      if (digit === NO_DIGIT) continue;
      last = from + at;
      if (inGroup === 0) groupAt = last;
      group = group * 85 + digit;
      if (++inGroup < 5) continue;
      visit(group, 4, byteAt, groupAt, last + 1);
      [group, inGroup, byteAt] = [0, 0, byteAt + 4];
    }
  }
  if (inGroup > 1) visit(completeTail(group, inGroup), inGroup - 1, byteAt, groupAt, last + 1);
}

import type { Characters } from '../core/text/source-text.ts';
import { putCodes, textOf } from '../core/text/utf8.ts';
import { digitOf, GROUP_LIMIT, groupAt, NO_DIGIT, putGroup } from './base85-digits.ts';

/**
 * The number of bytes that `characters` characters encode, not
 * counting white space; undefined for a remainder of one character.
 */
export function base85ByteLength(characters: number): number | undefined {
  return characters % 5 === 1 ? undefined : maxBytes(characters);
}

/** The maximum number of bytes that `characters` characters can encode. */
function maxBytes(characters: number): number {
  return Math.floor(characters / 5) * 4 + Math.max(0, (characters % 5) - 1);
}

/** The number of characters for `bytes` bytes: five for each four bytes, and n + 1 for a remainder of n. */
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
  /** The number of characters without white space. */
  readonly characters: number;
  /** The first fault. */
  readonly fault: Base85Fault | undefined;
  /** The offset of the first blank that is neither a line break nor in the indentation after one. */
  readonly strayBlank: number | undefined;
  /** The offset of the last group if bits are set in it that belong to no byte. */
  readonly unexpectedTail: number | undefined;
}

/**
 * The number of characters that are read at a time. It is a multiple of five, and small because engines
 * optimize functions that are called often.
 */
export const BLOCK_LENGTH = 5 * 1_024;

/**
 * Checks `text[start, end)` as Base85 without decoding it (reading of LightAICL 3.3): the alphabet, groups
 * above 2^32-1, and the last group. White space is skipped. Linear; allocates nothing that depends on the
 * length, except that the number of characters before each block of `BLOCK_LENGTH` is appended to `index`.
 */
export function checkBase85(text: Characters, start: number, end: number, index?: number[]): Base85Check {
  const checker = new Base85Checker();
  const codes = makeBlock(end - start);
  for (let at = start; at < end && !checker.fault; at += BLOCK_LENGTH) {
    index?.push(checker.characters);
    const count = putCodes(text.slice(at, Math.min(end, at + BLOCK_LENGTH)), codes);
    checker.read(codes, count, at - start);
  }
  return checker.finish();
}

/** A buffer for the codes of a block, with the extra byte that `putCodes` needs. */
function makeBlock(characters: number): Uint8Array {
  return new Uint8Array(1 + Math.max(0, Math.min(BLOCK_LENGTH, characters)));
}

class Base85Checker {
  #group = 0;
  #inGroup = 0;
  #groupAt = 0;
  #strayBlank: number | undefined;
  #afterLineEnd = false;
  characters = 0;
  fault: Base85Fault | undefined;

  /** Reads the first `count` codes as the next part of the payload; `offset` is their position in it. */
  read(codes: Uint8Array, count: number, offset: number): void {
    let at = 0;
    while (at < count && !this.fault) {
      if (this.#inGroup === 0) {
        const next = skipGroups(codes, at, count);
        this.characters += next - at;
        if (next > at) this.#afterLineEnd = false;
        at = next;
      }
      if (at < count) this.#readOne(codes[at] ?? 0, offset + at);
      at++;
    }
  }

  #readOne(code: number, at: number): void {
    const digit = digitOf(code);
    if (digit === NO_DIGIT) {
      if (code === 10 || code === 13) this.#afterLineEnd = true;
      else if (!isBlank(code)) this.fault = { kind: 'character', at };
      else if (!this.#afterLineEnd) this.#strayBlank ??= at;
      return;
    }
    this.#afterLineEnd = false;
    this.characters++;
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
      characters: this.characters,
      fault: this.fault,
      strayBlank: isSound ? this.#strayBlank : undefined,
      unexpectedTail:
        isSound && inGroup > 0 && this.#group !== shortestTail(whole, inGroup) ? this.#groupAt : undefined,
    };
  }
}

const BLANK = 32;

/** True for white space that a payload may hold: space, TAB, LF, CR. */
function isBlank(code: number): boolean {
  return code === BLANK || code === 10 || code === 13 || code === 9;
}

/** The index after the complete groups at the start of `codes[from, to)`, up to a blank or an invalid group. */
function skipGroups(codes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at + 5 <= to && groupAt(codes, at) < GROUP_LIMIT) at += 5;
  return at;
}

/** The code of `~`, the highest digit, which completes the last group. */
const HIGHEST = 126;

/** Completes the value of the last group with the highest digit. */
function completeTail(group: number, characters: number): number {
  let whole = group;
  for (let have = characters; have < 5; have++) whole = whole * 85 + 84;
  return whole;
}

/** The digits that an encoder writes for the bytes of a completed last group. */
function shortestTail(whole: number, characters: number): number {
  const unused = 2 ** (8 * (5 - characters));
  const padded = whole - (whole % unused);
  return Math.floor(padded / 85 ** (5 - characters));
}

/** Encodes bytes: four big-endian bytes become five characters. */
export function encodeBase85(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const codes = new Uint8Array(Math.ceil(bytes.length / 4) * 5);
  const into = new DataView(codes.buffer);
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0, to = 0; at < whole; at += 4, to += 5) putGroup(into, to, view.getUint32(at));
  // The last group is completed with zero bytes, and the characters that only they produce are not written.
  if (whole < bytes.length) putGroup(into, (whole / 4) * 5, readTail(bytes.subarray(whole)));
  return textOf(codes.subarray(0, base85TextLength(bytes.length)));
}

function readTail(bytes: Uint8Array): number {
  const padded = new Uint8Array(4);
  padded.set(bytes);
  return new DataView(padded.buffer).getUint32(0);
}

/** A valid last group as an encoder writes it, with its unused bits cleared. */
export function plainTail(tail: string): string {
  const bytes = decodeBase85(tail);
  return bytes ? encodeBase85(bytes) : tail;
}

/**
 * Decodes `text[start, end)` and skips white space; undefined if `checkBase85` finds a fault. Memory is
 * proportional to the text, whatever a shape declares.
 */
export function decodeBase85(text: Characters, start = 0, end = text.length): Uint8Array | undefined {
  const bytes = new Uint8Array(maxBytes(Math.max(0, end - start)));
  const view = new DataView(bytes.buffer);
  const codes = makeBlock(end - start);
  // The characters read so far of a group that is interrupted by white space or crosses a block.
  const group = new Uint8Array(5);
  let [inGroup, byteAt] = [0, 0];
  for (let from = start; from < end; from += BLOCK_LENGTH) {
    const count = putCodes(text.slice(from, Math.min(end, from + BLOCK_LENGTH)), codes);
    for (let at = 0; at < count; at++) {
      if (inGroup === 0) {
        const next = decodeGroups(codes, at, count, view, byteAt);
        byteAt += Math.trunc((next - at) / 5) * 4;
        at = next;
      }
      const code = at < count ? (codes[at] ?? 0) : BLANK;
      if (isBlank(code)) continue;
      group[inGroup++] = code;
      if (inGroup < 5) continue;
      if (decodeGroups(group, 0, 5, view, byteAt) === 0) return undefined;
      [inGroup, byteAt] = [0, byteAt + 4];
    }
  }
  const tail = decodeTail(group.subarray(0, inGroup));
  if (!tail) return undefined;
  bytes.set(tail, byteAt);
  const length = byteAt + tail.length;
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/**
 * Decodes complete groups of `codes[from, to)` into `bytes` at `byteAt`,
 * up to a blank or an invalid group; returns the index after them.
 */
function decodeGroups(codes: Uint8Array, from: number, to: number, bytes: DataView, byteAt: number): number {
  let at = from;
  for (let byte = byteAt; at + 5 <= to; at += 5, byte += 4) {
    const group = groupAt(codes, at);
    if (group >= GROUP_LIMIT) break;
    bytes.setUint32(byte, group);
  }
  return at;
}

/** Decodes an incomplete last group; undefined if it is invalid. */
function decodeTail(codes: Uint8Array): Uint8Array | undefined {
  if (codes.length === 0) return codes;
  const whole = new Uint8Array(5).fill(HIGHEST);
  whole.set(codes);
  const group = groupAt(whole, 0);
  if (codes.length === 1 || group >= GROUP_LIMIT) return undefined;
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, group);
  return new Uint8Array(bytes.buffer, 0, codes.length - 1);
}

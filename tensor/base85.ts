import type { Characters } from '../core/text/source-text.ts';
import { putCodes, textOf } from '../core/text/ascii-codes.ts';
import { digitOf, GROUP_LIMIT, groupAt, NO_DIGIT, putGroup } from './base85-digits.ts';

/** How many bytes a payload of `characters` (white space not counted) holds; undefined for a tail of one character. */
export function base85ByteLength(characters: number): number | undefined {
  return characters % 5 === 1 ? undefined : mostBytes(characters);
}

/** How many bytes a payload of up to `characters` can hold. */
function mostBytes(characters: number): number {
  return Math.floor(characters / 5) * 4 + Math.max(0, (characters % 5) - 1);
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

/** So much of a payload is looked at in one piece: whole groups, and few, because the engine learns from calls. */
export const BLOCK_LENGTH = 5 * 1_024;

/**
 * Checks `text[start, end)` as Base85 without decoding it (reading of LightAICL 3.3): the alphabet, groups over
 * 2^32-1, the tail. White space inside is passed over. Linear; allocates nothing that depends on the length. `index`
 * takes how many characters count before each block of BLOCK_LENGTH.
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

/** Room for the codes of a block, and for one more. */
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

  /** Reads the first `count` codes as the next piece of the payload; `offset` is where it stands in it. */
  read(codes: Uint8Array, count: number, offset: number): void {
    let at = 0;
    while (at < count && !this.fault) {
      if (this.#inGroup === 0) {
        const next = skipGroups(codes, at, count, 0);
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
      oddTail:
        isSound && inGroup > 0 && this.#group !== shortestTail(whole, inGroup) ? this.#groupAt : undefined,
    };
  }
}

const BLANK = 32;

/** True for white space that a payload may hold: space, TAB, LF, CR. */
function isBlank(code: number): boolean {
  return code === BLANK || code === 10 || code === 13 || code === 9;
}

/**
 * The index after the whole groups that stand in `codes[from, to)` without a blank or a fault between or in them, and
 * that have none of the bits set.
 */
function skipGroups(codes: Uint8Array, from: number, to: number, bits: number): number {
  let at = from;
  for (; at + 5 <= to; at += 5) {
    const group = groupAt(codes, at);
    if (group >= GROUP_LIMIT || (group & bits) !== 0) break;
  }
  return at;
}

/** The code of `~`, the highest digit: a tail is completed with it before it is read. */
const HIGHEST = 126;

/** A tail completed to a group. */
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const codes = new Uint8Array(Math.ceil(bytes.length / 4) * 5);
  const into = new DataView(codes.buffer);
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0, to = 0; at < whole; at += 4, to += 5) putGroup(into, to, view.getUint32(at));
  // A tail is completed with bytes of 0, and what they alone make is not written.
  if (whole < bytes.length) putGroup(into, (whole / 4) * 5, readTail(bytes.subarray(whole)));
  return textOf(codes.subarray(0, base85TextLength(bytes.length)));
}

function readTail(bytes: Uint8Array): number {
  const padded = new Uint8Array(4);
  padded.set(bytes);
  return new DataView(padded.buffer).getUint32(0);
}

/** The tail that an encoder writes for the bytes of a sound tail. */
export function plainTail(tail: string): string {
  const bytes = decodeBase85(tail);
  return bytes ? encodeBase85(bytes) : tail;
}

/**
 * Decodes `text[start, end)`, passing over white space. Answers undefined where `checkBase85` finds a fault. Allocates
 * what the text's own length asks for, whatever a shape declares.
 */
export function decodeBase85(text: Characters, start = 0, end = text.length): Uint8Array | undefined {
  const bytes = new Uint8Array(mostBytes(Math.max(0, end - start)));
  const view = new DataView(bytes.buffer);
  const codes = makeBlock(end - start);
  // A group with white space between its characters or around it, as far as it is known.
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
 * Decodes the whole groups of `codes[from, to)` up to a blank or a fault, and answers the index after them. `byteAt` is
 * where the bytes of the first one go.
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

/** The bytes of less than a group; undefined where it is no tail. */
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
  const codes = makeBlock(end - start);
  let [group, inGroup, groupStart, last, byteAt] = [0, 0, start, start, 0];
  for (let from = start; from < end; from += BLOCK_LENGTH) {
    const count = putCodes(text.slice(from, Math.min(end, from + BLOCK_LENGTH)), codes);
    for (let at = 0; at < count; at++) {
      if (inGroup === 0) {
        const next = skipGroups(codes, at, count, bits);
        byteAt += ((next - at) / 5) * 4;
        at = next;
      }
      const digit = at < count ? digitOf(codes[at] ?? 0) : NO_DIGIT;
      if (digit === NO_DIGIT) continue;
      last = from + at;
      if (inGroup === 0) groupStart = last;
      group = group * 85 + digit;
      if (++inGroup < 5) continue;
      visit(group, 4, byteAt, groupStart, last + 1);
      [group, inGroup, byteAt] = [0, 0, byteAt + 4];
    }
  }
  if (inGroup > 1) visit(completeTail(group, inGroup), inGroup - 1, byteAt, groupStart, last + 1);
}

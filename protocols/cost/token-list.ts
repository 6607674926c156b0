/**
 * The tokens of an encoding as a text for its bundle. Each token of several bytes is written as the two earlier tokens
 * that it consists of, because encodings are made by merging pairs; a text of those compresses to less than the tokens.
 */
import { putUtf8 } from './utf8-bytes.ts';

/** The tokens of an encoding by rank, as text or as bytes; undefined for an unused rank. */
export type TokenList = readonly (string | readonly number[] | undefined)[];

/** The maximum number of bytes of a token, whose length is stored as one byte. */
export const MAX_TOKEN_BYTES = 255;

/** A number is three digits of six bits. The first digits of all numbers are stored together, since those repeat most. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGIT_BITS = 6;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;
const NUMBER_DIGITS = 3;
const MAX_NUMBER = 2 ** (DIGIT_BITS * NUMBER_DIGITS) - 1;

/** Two numbers for each token: of one byte, the byte and 0; else the left part and the right part plus 1. */
const TOKEN_NUMBERS = 2;
const TOKEN_DIGITS = TOKEN_NUMBERS * NUMBER_DIGITS;

/** Packs tokens in their order. Throws if a token is too long or is not made of two earlier tokens. */
export function packTokens(tokens: TokenList): string {
  const positions = new Map<string, number>();
  const lefts: number[] = [];
  const rights: number[] = [];
  const slots = new Uint8Array(NUMBER_DIGITS * MAX_TOKEN_BYTES);
  for (const token of tokens) {
    if (token === undefined) continue;
    const bytes = typeof token === 'string' ? slots.subarray(0, putUtf8(token, slots)) : token;
    if (bytes.length > MAX_TOKEN_BYTES)
      throw new Error(`A token of ${bytes.length} bytes does not fit: ${MAX_TOKEN_BYTES} are the most`);
    const key = String.fromCharCode(...bytes);
    const [left, right] = bytes.length === 1 ? [bytes[0] ?? 0, 0] : splitToken(key, positions);
    positions.set(key, lefts.length);
    lefts.push(left);
    rights.push(right);
  }
  if (lefts.length > MAX_NUMBER)
    throw new Error(`${lefts.length} tokens do not fit: ${MAX_NUMBER} are the most`);
  return [lefts, rights].map(printNumbers).join('');
}

/** The parts with the lowest positions: low numbers have fewer different digits. */
function splitToken(
  key: string,
  positions: ReadonlyMap<string, number>,
): readonly [left: number, right: number] {
  let best: readonly [number, number] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < key.length; at++) {
    const left = positions.get(key.slice(0, at));
    const right = positions.get(key.slice(at));
    if (left === undefined || right === undefined || (left + 1) * (right + 1) >= least) continue;
    least = (left + 1) * (right + 1);
    best = [left, right + 1];
  }
  if (!best) throw new Error(`No two earlier tokens make the token at position ${positions.size}`);
  return best;
}

function printNumbers(numbers: readonly number[]): string {
  let text = '';
  for (let shift = DIGIT_BITS * (NUMBER_DIGITS - 1); shift >= 0; shift -= DIGIT_BITS)
    for (const number of numbers) text += DIGITS[(number >> shift) & DIGIT_MASK] ?? '';
  return text;
}

/**
 * Unpacks the output of `packTokens`: for each token, in order, one byte with its length and then its bytes.
 * Throws if the text is no packed list.
 */
export function unpackTokens(packed: string): Uint8Array {
  const count = packed.length / TOKEN_DIGITS;
  if (!Number.isInteger(count)) throw new Error('The packed list of tokens is cut off');
  const lefts = readNumbers(packed, 0, count);
  const rights = readNumbers(packed, count * NUMBER_DIGITS, count);
  // Where each token begins in the list.
  const starts = new Uint32Array(count + 1);
  const lengthAt = (at: number): number => (starts[at + 1] ?? 0) - (starts[at] ?? 0) - 1;
  for (let at = 0; at < count; at++) {
    const left = lefts[at] ?? 0;
    const right = rights[at] ?? 0;
    const isByte = right === 0 && left < 256;
    if (!isByte && (right === 0 || left >= at || right > at))
      throw new Error(`The packed list of tokens is wrong at position ${at}`);
    const length = isByte ? 1 : lengthAt(left) + lengthAt(right - 1);
    starts[at + 1] = (starts[at] ?? 0) + 1 + length;
  }
  const list = new Uint8Array(starts[count] ?? 0);
  for (let at = 0, to = 0; at < count; at++) {
    const left = lefts[at] ?? 0;
    const right = rights[at] ?? 0;
    list[to++] = lengthAt(at);
    if (right === 0) list[to++] = left;
    else {
      to = copyToken(list, starts, left, to);
      to = copyToken(list, starts, right - 1, to);
    }
  }
  return list;
}

/** Copies the bytes of a token to a later place in the list; returns the place after them. */
function copyToken(list: Uint8Array, starts: Uint32Array, token: number, to: number): number {
  const end = starts[token + 1] ?? 0;
  for (let from = (starts[token] ?? 0) + 1; from < end; from++) list[to++] = list[from] ?? 0;
  return to;
}

function readNumbers(packed: string, from: number, count: number): Uint32Array {
  const values = new Uint8Array(128);
  for (let digit = 0; digit < DIGITS.length; digit++) values[DIGITS.charCodeAt(digit)] = digit;
  const numbers = new Uint32Array(count);
  for (let digit = 0, at = from; digit < NUMBER_DIGITS; digit++)
    for (let index = 0; index < count; index++, at++)
      numbers[index] = ((numbers[index] ?? 0) << DIGIT_BITS) | (values[packed.charCodeAt(at)] ?? 0);
  return numbers;
}

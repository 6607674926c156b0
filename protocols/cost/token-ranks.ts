import { decodeBase64, encodeBase64 } from '../../core/text/base64.ts';
import { putUtf8 } from './utf8-bytes.ts';

/** The tokens of an encoding by rank, as text or as bytes; undefined for a rank that no token has. */
export type TokenList = readonly (string | readonly number[] | undefined)[];

/** No token has these bytes. */
export const NO_RANK = -1;

/** A token has so many bytes at most, because its length is packed as one byte. */
const MOST_TOKEN_BYTES = 255;

/** There are so many places for each token, at least, in the table that finds them. */
const ROOM = 2;

/** FNV-1a, which spreads short runs of bytes well. */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A list of tokens as one text: of each token in order its length and its bytes, all of that in Base64. */
export function packTokens(tokens: TokenList): string {
  const bytes: number[] = [];
  const room = new Uint8Array(3 * MOST_TOKEN_BYTES);
  for (const token of tokens) {
    if (token === undefined) continue;
    const own = typeof token === 'string' ? room.subarray(0, putUtf8(token, room)) : token;
    if (own.length > MOST_TOKEN_BYTES)
      throw new Error(`A token of ${own.length} bytes does not fit: ${MOST_TOKEN_BYTES} are the most`);
    bytes.push(own.length);
    for (const byte of own) bytes.push(byte);
  }
  return encodeBase64(Uint8Array.from(bytes));
}

/**
 * Finds tokens by their bytes. Encodings have up to 200,000 tokens, of which none is an object here: they lie one behind the
 * other in their packed list, and a table of numbers says where.
 */
export class TokenRanks {
  readonly #list: Uint8Array;
  /** By the hash of the bytes where in the list the token begins, plus 1; the next place where another one has it. */
  readonly #table: Int32Array;

  /** Takes what `packTokens` makes. */
  constructor(packed: string) {
    const list = decodeBase64(packed);
    if (!list) throw new Error('The packed list of tokens is not Base64');
    this.#list = list;
    let count = 0;
    for (let at = 0; at < list.length; at += 1 + (list[at] ?? 0)) count++;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(ROOM * count + 1)));
    for (let at = 0; at < list.length; at += 1 + (list[at] ?? 0))
      this.#table[this.#placeOf(list, at + 1, at + 1 + (list[at] ?? 0))] = at + 1;
  }

  /**
   * The rank of the token that has these bytes, or NO_RANK. It grows in the order of the list, which is all that joining pairs
   * needs of it: it is the place in the list.
   */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MOST_TOKEN_BYTES) return NO_RANK;
    return (this.#table[this.#placeOf(bytes, start, end)] ?? 0) - 1;
  }

  /** The place in the table that is the token's, or is free for it. */
  #placeOf(bytes: Uint8Array, start: number, end: number): number {
    const last = this.#table.length - 1;
    let hash = FNV_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
    let place = (hash ^ (hash >>> 15)) & last;
    for (let found = this.#table[place]; found; found = this.#table[place]) {
      if (this.#isAt(found - 1, bytes, start, end)) break;
      place = (place + 1) & last;
    }
    return place;
  }

  #isAt(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const list = this.#list;
    if (list[rank] !== end - start) return false;
    for (let at = start, of = rank + 1; at < end; at++, of++) if (bytes[at] !== list[of]) return false;
    return true;
  }
}

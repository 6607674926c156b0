import { MAX_TOKEN_BYTES, unpackTokens } from './token-list.ts';

/** Returned for bytes that are no token. */
export const NO_RANK = -1;

/** The minimum number of slots for each token in the hash table. */
const SLOTS_PER_TOKEN = 2;

/** FNV-1a, which distributes short byte strings well. */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Finds tokens by their bytes. Encodings have up to 200,000 tokens, so tokens are not objects here: they are
 * stored consecutively in their packed list, and a hash table has their positions.
 */
export class TokenRanks {
  readonly #list: Uint8Array;
  /** By hash, the position of the token in the list plus 1; 0 is a free slot. Collisions use the next slot. */
  readonly #table: Int32Array;

  /** Takes the output of `packTokens`. */
  constructor(packed: string) {
    const list = unpackTokens(packed);
    this.#list = list;
    let count = 0;
    for (let at = 0; at < list.length; at += 1 + (list[at] ?? 0)) count++;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(SLOTS_PER_TOKEN * count + 1)));
    for (let at = 0; at < list.length; at += 1 + (list[at] ?? 0))
      this.#table[this.#placeOf(list, at + 1, at + 1 + (list[at] ?? 0))] = at + 1;
  }

  /**
   * The rank of the token with these bytes, or NO_RANK. It is the token's position in the list; merging needs
   * only that positions and ranks have the same order.
   */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_TOKEN_BYTES) return NO_RANK;
    return (this.#table[this.#placeOf(bytes, start, end)] ?? 0) - 1;
  }

  /** The token's slot in the table, or the free slot for it. */
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

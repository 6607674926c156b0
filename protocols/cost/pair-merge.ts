import { NO_RANK, type TokenRanks } from './token-ranks.ts';

/** The maximum number of bytes of a piece. */
export const MAX_PIECE_BYTES = 2 ** 22;

/**
 * Byte pair encoding of one piece: repeatedly joins the neighbours that form the token of the lowest rank,
 * the leftmost first. The pairs are in a heap, so a piece of n bytes takes n log n steps; the usual search
 * through all pairs for each step is quadratic. One object is reused for many pieces.
 */
export class PairMerge {
  readonly #ranks: TokenRanks;
  readonly #heap = new MinHeap();
  #piece = new Uint8Array();
  #length = 0;
  #count = 0;
  /**
   * By the start of a token: the starts of the next and the previous token, and the rank of it joined with
   * the next.
   */
  #next = new Int32Array(64);
  #before = new Int32Array(64);
  #rank = new Int32Array(64);

  constructor(ranks: TokenRanks) {
    this.#ranks = ranks;
  }

  /** Begins with a piece: the first `length` of these bytes, which must not change until it is done. */
  begin(piece: Uint8Array<ArrayBuffer>, length: number): void {
    if (length > this.#next.length) this.#grow(length);
    this.#piece = piece;
    this.#length = length;
    this.#count = length;
    this.#heap.clear();
    for (let at = 0; at < length; at++) {
      this.#next[at] = at + 1;
      this.#before[at] = at - 1;
    }
    for (let at = 0; at + 1 < length; at++) this.#rate(at);
  }

  /** Joins pairs for at most this many steps; returns true once the piece is done. */
  run(steps: number): boolean {
    for (let step = 0; step < steps; step++) {
      const first = this.#heap.pop();
      if (first === undefined) return true;
      const at = first % MAX_PIECE_BYTES;
      // If one of the pair's tokens was joined meanwhile, the rank differs and the pair is skipped.
      if (this.#rank[at] === Math.floor(first / MAX_PIECE_BYTES)) this.#join(at);
    }
    return false;
  }

  /** The number of tokens so far. */
  get count(): number {
    return this.#count;
  }

  #join(at: number): void {
    const joined = this.#next[at] ?? 0;
    const next = this.#next[joined] ?? 0;
    this.#rank[joined] = NO_RANK;
    this.#next[at] = next;
    this.#before[next] = at;
    this.#count--;
    this.#rate(at);
    const before = this.#before[at] ?? NO_RANK;
    if (before >= 0) this.#rate(before);
  }

  /** Looks up the rank of a token joined with the next one. */
  #rate(at: number): void {
    const next = this.#next[at] ?? 0;
    const isLast = next === this.#length;
    const rank = isLast ? NO_RANK : this.#ranks.find(this.#piece, at, this.#next[next] ?? 0);
    this.#rank[at] = rank;
    if (rank !== NO_RANK) this.#heap.push(rank * MAX_PIECE_BYTES + at);
  }

  #grow(length: number): void {
    const size = Math.max(length + 1, this.#next.length * 2);
    this.#next = new Int32Array(size);
    this.#before = new Int32Array(size);
    this.#rank = new Int32Array(size);
  }
}

/** Numbers, of which the least is popped first. */
class MinHeap {
  #items = new Float64Array(128);
  #size = 0;

  clear(): void {
    this.#size = 0;
  }

  push(item: number): void {
    if (this.#size === this.#items.length) {
      const larger = new Float64Array(this.#size * 2);
      larger.set(this.#items);
      this.#items = larger;
    }
    const items = this.#items;
    let at = this.#size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const upper = items[above] ?? 0;
      if (upper <= item) break;
      items[at] = upper;
      at = above;
    }
    items[at] = item;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const items = this.#items;
    const first = items[0];
    const last = items[--this.#size] ?? 0;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#size) break;
      if (below + 1 < this.#size && (items[below + 1] ?? 0) < (items[below] ?? 0)) below++;
      const lower = items[below] ?? 0;
      if (lower >= last) break;
      items[at] = lower;
      at = below;
    }
    items[at] = last;
    return first;
  }
}

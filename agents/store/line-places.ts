/** The place of a line in a file, in bytes. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

/** The places of a file's lines, in lists by name: 20 bytes per line, whatever its length. */
export class LinePlaces {
  #starts = new Float64Array(64);
  #lengths = new Float64Array(64);
  /** The index of the next place in the same list; 0 for the last one. */
  #next = new Uint32Array(64);
  readonly #ends = new Map<string, { readonly first: number; last: number }>();
  /** Indexes begin with 1. */
  #count = 0;

  /** The number of known lines. */
  get count(): number {
    return this.#count;
  }

  add(name: string, start: number, length: number): void {
    const at = ++this.#count;
    if (at === this.#starts.length) this.#grow();
    this.#starts[at] = start;
    this.#lengths[at] = length;
    const ends = this.#ends.get(name);
    if (ends) this.#next[ends.last] = at;
    if (ends) ends.last = at;
    else this.#ends.set(name, { first: at, last: at });
  }

  /** True if a list has any places. */
  has(name: string): boolean {
    return this.#ends.has(name);
  }

  /** The places of a list in the order in which they were added. */
  *of(name: string): Generator<LinePlace, void> {
    for (let at = this.#ends.get(name)?.first ?? 0; at > 0; at = this.#next[at] ?? 0)
      yield { start: this.#starts[at] ?? 0, length: this.#lengths[at] ?? 0 };
  }

  #grow(): void {
    const size = this.#starts.length * 2;
    const [starts, lengths, next] = [new Float64Array(size), new Float64Array(size), new Uint32Array(size)];
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    next.set(this.#next);
    [this.#starts, this.#lengths, this.#next] = [starts, lengths, next];
  }
}

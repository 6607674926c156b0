/** A printed key with what is before it: as the first of a dictionary, and as a later one. */
export interface PrintedKey {
  readonly first: string;
  readonly next: string;
}

const MAX_KEYS = 500;
const LONGEST_KEY = 40;

/** Printed keys, because messages use the same few keys repeatedly; limited in number and length. */
export class PrintedKeys {
  readonly #open: string;
  readonly #known = new Map<string, PrintedKey>();

  /** `open` opens a dictionary. */
  constructor(open: string) {
    this.#open = open;
  }

  find(key: string): PrintedKey | undefined {
    return this.#known.get(key);
  }

  /** Stores a key, if there is space for it. */
  add(key: string, printed: string): PrintedKey {
    const added = { first: `${this.#open}${printed}`, next: `,${printed}` };
    if (this.#known.size < MAX_KEYS && key.length <= LONGEST_KEY) this.#known.set(key, added);
    return added;
  }
}

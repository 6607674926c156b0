import { textIn, type DictValue, type Entry, type Value } from '../../core/values/value.ts';

/** The number of members whose removal is marked in one integer; taking a later one copies the list. */
const MARKS = 31;

/**
 * The members of a dictionary, which a protocol takes one by one. `left` has those that were not taken, so a
 * member that the protocol does not know is carried instead of lost.
 */
export class Members<Key extends string = string> {
  /** A list, because dictionaries of messages are small and few members are looked up: a map is slower. */
  #entries: readonly Entry[];
  /** The list, once it is a copy that may be changed. */
  #own: Entry[] | undefined;
  /** A bit for each of the first members that was taken, so that most dictionaries need no copy. */
  #taken = 0;
  #size: number;

  constructor(value: Value | undefined) {
    this.#entries = value?.kind === 'dict' ? value.entries : NONE;
    this.#size = this.#entries.length;
  }

  /** Returns a member without taking it. */
  peek(key: Key): Value | undefined {
    return this.#valueAt(this.#find(key));
  }

  take(key: Key): Value | undefined {
    const index = this.#find(key);
    return index === -1 ? undefined : this.#takeAt(index);
  }

  /** Takes a member if it has this kind; leaves it otherwise. */
  takeKind<Kind extends Value['kind']>(key: Key, kind: Kind): Extract<Value, { kind: Kind }> | undefined {
    const index = this.#find(key);
    const value = this.#valueAt(index);
    if (!value || !hasKind(value, kind)) return undefined;
    this.#takeAt(index);
    return value;
  }

  /** Takes a member if it is this text; leaves it otherwise. */
  takeWord(key: Key, word: string): boolean {
    const index = this.#find(key);
    if (textIn(this.#valueAt(index)) !== word) return false;
    this.#takeAt(index);
    return true;
  }

  /** Sets a member; a new one is added last. Does nothing without a value. */
  put(key: Key, value: Value | undefined): void {
    if (!value) return;
    const index = this.#find(key);
    if (index === -1) this.add(key, value);
    else this.#change()[index] = { key, value };
  }

  /** The same for a member that is known to be missing, so that no lookup is needed. */
  add(key: Key, value: Value | undefined): void {
    if (!value) return;
    this.#change().push({ key, value });
    this.#size++;
  }

  get size(): number {
    return this.#size;
  }

  /** The members that were not taken, in order; undefined if there are none. */
  left(): DictValue | undefined {
    return this.#size === 0 ? undefined : { kind: 'dict', entries: this.entries() };
  }

  /** The same as a list, which later changes do not affect. */
  entries(): readonly Entry[] {
    if (this.#size === 0) return NONE;
    if (this.#taken === 0) return this.#own ? [...this.#own] : this.#entries;
    return this.#entries.filter((_, index) => !this.#isTaken(index));
  }

  #find(key: string): number {
    if (this.#size === 0) return -1;
    const entries = this.#entries;
    for (let index = 0; index < entries.length; index++)
      if (entries[index]?.key === key && !this.#isTaken(index)) return index;
    return -1;
  }

  #valueAt(index: number): Value | undefined {
    // Reading an array at -1 is slow.
    return index === -1 ? undefined : this.#entries[index]?.value;
  }

  #isTaken(index: number): boolean {
    return index < MARKS && (this.#taken & (1 << index)) !== 0;
  }

  #takeAt(index: number): Value | undefined {
    const value = this.#entries[index]?.value;
    if (index < MARKS) this.#taken |= 1 << index;
    else this.#change().splice(index, 1);
    this.#size--;
    return value;
  }

  #change(): Entry[] {
    if (!this.#own) this.#entries = this.#own = [...this.#entries];
    return this.#own;
  }
}

const NONE: readonly Entry[] = [];

function hasKind<Kind extends Value['kind']>(
  value: Value,
  kind: Kind,
): value is Extract<Value, { kind: Kind }> {
  return value.kind === kind;
}

import type { DictValue, Entry, Value } from '../../core/values/value.ts';

/** Maximum number of entries whose keys are compared one by one. */
const FEW = 12;

/**
 * Collects the entries of a dictionary, and then of the next one. Of a repeated key the later value counts, at the
 * position of the first.
 */
export class DictBuilder {
  readonly #entries: Entry[] = [];
  #count = 0;
  #index: Map<string, number> | undefined;

  /** Sets the value of a key; true if it replaces an earlier one. */
  set(key: string, value: Value): boolean {
    const at = this.#find(key);
    if (at >= 0) {
      this.#entries[at] = { key, value };
      return true;
    }
    this.#index?.set(key, this.#count);
    this.#entries[this.#count++] = { key, value };
    return false;
  }

  /** The dictionary. Its array has no spare capacity, because a hostile text may contain millions of dictionaries. */
  finish(): DictValue {
    const entries = this.#entries.slice(0, this.#count);
    this.#count = 0;
    this.#index = undefined;
    return { kind: 'dict', entries };
  }

  /** The index of the entry with a key; -1 if there is none. */
  #find(key: string): number {
    const entries = this.#entries;
    const count = this.#count;
    if (count < FEW) {
      for (let at = 0; at < count; at++) if (entries[at]?.key === key) return at;
      return -1;
    }
    this.#index ??= new Map(entries.slice(0, count).map((entry, at) => [entry.key, at]));
    return this.#index.get(key) ?? -1;
  }
}

import type { CallEvent } from '../../core/events/events.ts';

/** A call that is in one list at a time. */
interface Listed {
  readonly call: CallEvent;
  /** The list that it is in, and its index there. Only the list writes them. */
  home: object | undefined;
  slot: number;
}

/** By the time of their call, then by their id. */
export function compareCalls({ call: a }: Pick<Listed, 'call'>, { call: b }: Pick<Listed, 'call'>): number {
  return a.at - b.at || (a.call < b.call ? -1 : a.call > b.call ? 1 : 0);
}

/**
 * Sibling calls: the roots of a trace, or the children of a call. Adding and removing take constant time; the
 * list is sorted on access.
 */
export class Siblings<Item extends Listed> {
  #list: Item[] = [];
  #isTidy = true;

  /** By their times, then by their ids. */
  get all(): readonly Item[] {
    if (this.#isTidy) return this.#list;
    // Removed items are still in the list, and items that were added again are in it twice.
    this.#list = this.#list
      .filter((item, slot) => item.home === this && item.slot === slot)
      .sort(compareCalls);
    for (const [slot, item] of this.#list.entries()) item.slot = slot;
    this.#isTidy = true;
    return this.#list;
  }

  add(item: Item): void {
    const last = this.#list.at(-1);
    if (last && compareCalls(last, item) > 0) this.#isTidy = false;
    item.home = this;
    item.slot = this.#list.length;
    // Most calls have one child and most traces one root; a list made by `push` would reserve space for more.
    if (last) this.#list.push(item);
    else this.#list = [item];
  }

  /** Removes an item of this list; ignores others. */
  delete(item: Item): void {
    if (item.home !== this) return;
    item.home = undefined;
    if (this.#isTidy && item === this.#list.at(-1)) this.#list.pop();
    else this.#isTidy = false;
  }

  clear(): void {
    for (const item of this.#list) if (item.home === this) item.home = undefined;
    this.#list = [];
    this.#isTidy = true;
  }
}

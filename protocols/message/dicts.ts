import { NULL, type DictValue, type Entry, type Value } from '../../core/values/value.ts';
import { isSameValue } from './same-value.ts';
import type { Members } from './members.ts';

/** A dictionary of plain entries; undefined values are left out. */
export function dictOf(entries: Readonly<Record<string, Value | undefined>>): DictValue {
  const list: Entry[] = [];
  for (const key in entries) {
    const value = entries[key];
    if (value) list.push({ key, value });
  }
  return { kind: 'dict', entries: list };
}

/** Entries with the value null. */
export function nullEntries(...keys: readonly string[]): readonly Entry[] {
  return keys.map(key => ({ key, value: NULL }));
}

/** Takes the members that have their default value. */
export function takeDefaults(members: Members, defaults: readonly Entry[]): void {
  for (const { key, value } of defaults) {
    const found = members.peek(key);
    if (found && isSameValue(found, value)) members.take(key);
  }
}

/** Merges entries by key, in the order of their first occurrence; the last value counts. */
export function joinEntries(...lists: readonly (readonly Entry[])[]): readonly Entry[] {
  const joined = new Map<string, Value>();
  for (const { key, value } of lists.flat()) joined.set(key, value);
  return [...joined].map(([key, value]) => ({ key, value }));
}

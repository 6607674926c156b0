import type { Message } from '../../core/message/message.ts';
import { joinPath } from '../../core/message/report.ts';
import type { DictValue, ListValue, Value } from '../../core/values/value.ts';

/** A value that is neither a list nor a dictionary. */
export type Atom = Exclude<Value, ListValue | DictValue>;

/** An atom and its path in its message, such as `arguments.items[2]`. */
export interface PlacedAtom {
  readonly path: string;
  readonly atom: Atom;
}

/** The atoms of a message that are wanted, in order, without those of members that only one protocol has. Linear. */
export function findAtoms({ fields }: Message, wants: (atom: Atom) => boolean): readonly PlacedAtom[] {
  return Object.entries(fields).flatMap(([path, value]) =>
    // Most messages have none, and then no path is joined.
    value && path !== 'rest' && hasAtom(value, wants) ? listAtoms(path, value, wants) : [],
  );
}

function hasAtom(value: Value, wants: (atom: Atom) => boolean): boolean {
  if (value.kind !== 'list' && value.kind !== 'dict') return wants(value);
  const waiting: Value[] = [value];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'list') for (const item of next.items) waiting.push(item);
    else if (next.kind === 'dict') for (const { value: member } of next.entries) waiting.push(member);
    else if (wants(next)) return true;
  }
  return false;
}

function listAtoms(path: string, value: Value, wants: (atom: Atom) => boolean): readonly PlacedAtom[] {
  const found: PlacedAtom[] = [];
  const waiting = [{ path, value }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path: at, value: held } = next;
    if (held.kind === 'list')
      for (const [index, item] of [...held.items.entries()].reverse())
        waiting.push({ path: joinPath(at, index), value: item });
    else if (held.kind === 'dict')
      for (const { key, value: member } of held.entries.toReversed())
        waiting.push({ path: joinPath(at, key), value: member });
    else if (wants(held)) found.push({ path: at, atom: held });
  }
  return found;
}

import { dictValue, findEntry, textValue, type Entry, type Value } from '../../core/values/value.ts';

/** Sets a text at a path of a dictionary; everything else is unchanged. */
export function putText(outer: Value | undefined, [key, ...path]: readonly string[], text: string): Value {
  if (key === undefined) return textValue(text);
  const entries = outer?.kind === 'dict' ? outer.entries : [];
  const own: Entry = { key, value: putText(findEntry(outer, key), path, text) };
  return dictValue([...entries.filter(entry => entry.key !== key), own]);
}

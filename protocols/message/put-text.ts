import { dictValue, findEntry, textValue, type Entry, type Value } from '../../core/values/value.ts';

/** A dictionary with a text at a path, replacing what is there; all else as it was. */
export function putText(outer: Value | undefined, [key, ...path]: readonly string[], text: string): Value {
  if (key === undefined) return textValue(text);
  const entries = outer?.kind === 'dict' ? outer.entries : [];
  const own: Entry = { key, value: putText(findEntry(outer, key), path, text) };
  return dictValue([...entries.filter(entry => entry.key !== key), own]);
}

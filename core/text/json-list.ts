import { listSigns } from './json-signs.ts';

/**
 * The texts of the objects in a text that is one list of objects of JSON, as they are written; undefined for any other text.
 * What stands between brackets is not checked. Linear.
 */
export function splitObjectList(text: string): readonly string[] | undefined {
  if (!/^[\s\u{feff}]*\[/u.test(text) || !/\][\s]*$/.test(text)) return undefined;
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { sign, at } of listSigns(text)) {
    if (sign === '"' || sign === ',') continue;
    if (sign === '{' || sign === '[') {
      if (depth === 1 && sign === '[') return undefined;
      if (depth === 1) start = at;
      depth++;
    } else if (--depth === 1) found.push(text.slice(start, at + 1));
  }
  return depth === 0 && found.length > 0 ? found : undefined;
}

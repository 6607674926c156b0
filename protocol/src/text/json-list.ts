/**
 * The texts of the objects in a text that is one list of objects of JSON, as they are written; undefined for any other text.
 * What stands between brackets is not checked. Linear.
 */
export function splitObjectList(text: string): readonly string[] | undefined {
  if (!/^[\s\u{feff}]*\[/u.test(text) || !/\][\s]*$/.test(text)) return undefined;
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(STRING_OR_BRACKET)) {
    if (sign.length > 1) continue;
    if (sign === '{' || sign === '[') {
      if (depth === 1 && sign === '[') return undefined;
      if (depth === 1) start = index;
      depth++;
    } else if (--depth === 1) found.push(text.slice(start, index + 1));
  }
  return depth === 0 && found.length > 0 ? found : undefined;
}

/** A whole string, or what opens or closes a list or an object outside of one. */
const STRING_OR_BRACKET = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

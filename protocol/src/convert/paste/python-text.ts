import { readPythonString } from './python-string.ts';

/** What Python's literals of texts say, or why that cannot be told. */
export type PythonText =
  { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'fault'; readonly problem: string };

/** How a text begins that is a literal of a text or of bytes: a string of JSON has no other quote and no mark. */
const START = /^[\s\uFEFF]*(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?(?:[rRuU]?'|[rR]?[bB][rR]?['"])/;
const BEFORE = /[\s\uFEFF,;]*(?:[A-Za-z_]\w*[ \t]*=[ \t]*(?=[rubRUB]{0,2}['"]))?/y;

/**
 * The texts that Python printed by `repr`, `'…'` or `b'…'`, a line for each; undefined for a text that is anything beside
 * such literals. Linear.
 */
export function readPythonTexts(text: string): PythonText | undefined {
  if (!START.test(text)) return undefined;
  const texts: string[] = [];
  for (let at = 0; ;) {
    BEFORE.lastIndex = at;
    at += BEFORE.exec(text)?.[0].length ?? 0;
    if (at >= text.length) return { kind: 'ok', text: texts.join('\n') };
    const found = readPythonString(text, at, 'any');
    if (!found) return undefined;
    if (found.problem !== undefined)
      return { kind: 'fault', problem: `This Python text cannot be pasted: ${found.problem}` };
    texts.push(found.text);
    at = found.end;
  }
}

import type { TokenBuilder } from '../../tokens.ts';

const BACKSLASH = 92;
/** An escape of JSON, of the field, or of both. */
const ESCAPE = /\\+(?:u[0-9a-f]{4}|[^\\\s])?/gi;
const VALUE = /"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/g;

/**
 * Adds the tokens of JSON as it stands in a field that starts at an offset: keys, strings, numbers, words. The field's
 * own escapes are still in it, and it may be broken or unfinished.
 */
export function addJsonTokens(tokens: TokenBuilder, source: string, start: number): void {
  VALUE.lastIndex = 0;
  for (let found = VALUE.exec(source); found; found = VALUE.exec(source)) {
    const at = found.index;
    if (found[0] === '"') {
      const end = findStringEnd(source, at + 1);
      const isKey = /^\s*:/.test(source.slice(end, end + 20));
      const kind = isKey ? 'property' : 'string';
      for (const { index, 0: escape } of source.slice(at, end - 1).matchAll(ESCAPE)) {
        const escapeStart = start + at + index;
        tokens.add(start + at, escapeStart, kind);
        tokens.add(escapeStart, escapeStart + escape.length, 'regexp');
      }
      tokens.add(start + at, start + end, kind);
      VALUE.lastIndex = end;
    } else {
      const isWord = /^[tfn]/.test(found[0]);
      tokens.add(start + at, start + VALUE.lastIndex, isWord ? 'enumMember' : 'number');
    }
  }
}

/**
 * Where a string ends: after the first quotation mark that no backslash of JSON escapes. Two backslashes of a field are
 * one of JSON, and an odd last one is itself.
 */
function findStringEnd(source: string, from: number): number {
  for (let quote = source.indexOf('"', from); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let run = quote;
    while (run > from && source.charCodeAt(run - 1) === BACKSLASH) run--;
    if (Math.ceil((quote - run) / 2) % 2 === 0) return quote + 1;
  }
  return source.length;
}

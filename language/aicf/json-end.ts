/** The character that a backslash before `letter` stands for in a field; undefined where such a backslash is itself. */
type FindEscape = (letter: string) => string | undefined;

/**
 * Where the JSON object or array that begins at `from` ends: after the bracket that closes its first one, brackets in
 * its strings left out. Answers -1 where that is not before `to`. Whether it is JSON at all is for others to say.
 * The field's own escapes are those that `findEscape` knows. One pass.
 */
export function findJsonEnd(text: string, from: number, to: number, findEscape: FindEscape): number {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < to; at++) {
    let character = text.charAt(at);
    if (character === '\\') {
      const escaped = findEscape(text.charAt(at + 1));
      if (escaped !== undefined) at++;
      character = escaped ?? character;
    }
    if (isInString && character === '\\') at = skipCharacter(text, at + 1, findEscape);
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}

/** The last offset of the character at `at`, which JSON's own backslash stands before. */
function skipCharacter(text: string, at: number, findEscape: FindEscape): number {
  const isPair = text.charAt(at) === '\\' && findEscape(text.charAt(at + 1)) !== undefined;
  return isPair ? at + 1 : at;
}

/** Returns the character that a backslash before `letter` encodes in a field; undefined if the backslash is literal. */
type FindEscape = (letter: string) => string | undefined;

/**
 * The end of the JSON object or array at `from`: after its matching closing bracket, ignoring brackets in
 * strings. Returns -1 if that is not before `to`. Does not check whether the text is valid JSON. `findEscape`
 * decodes the field's escapes. One pass.
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

/** The last offset of the character at `at`, which follows a JSON backslash and may itself be a field escape. */
function skipCharacter(text: string, at: number, findEscape: FindEscape): number {
  const isPair = text.charAt(at) === '\\' && findEscape(text.charAt(at + 1)) !== undefined;
  return isPair ? at + 1 : at;
}

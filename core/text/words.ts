/** Words as a sentence lists them: `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  const [end = ''] = words.slice(-1);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${last} ${end}` : end;
}

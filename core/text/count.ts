/** A number with commas between thousands, independent of the locale. */
export function showCount(count: number | bigint): string {
  // oxlint-disable-next-line regexp/no-super-linear-move -- a number has at most 24 characters.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 byte`, `1,024 bytes`. */
export function countOf(count: number | bigint, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 || count === 1n ? one : many}`;
}

/** A remaining count with its noun and verb: `1 more line is`, `980 more lines are`. */
export function moreAre(count: number, one: string): string {
  return count === 1 ? `1 more ${one} is` : `${showCount(count)} more ${one}s are`;
}

/** The number of code points in a text; a surrogate pair counts as one. */
export function countPoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The first few words of a list, and the number of the others: `a, b and 980 more`. */
export function firstOf(words: readonly string[], most = 10): string {
  const shown = words.slice(0, most).join(', ');
  return words.length > most ? `${shown} and ${showCount(words.length - most)} more` : shown;
}

/** Joins words as in a sentence: `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], last: 'and' | 'or'): string {
  const [end = ''] = words.slice(-1);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${last} ${end}` : end;
}

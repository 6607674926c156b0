/** A number with commas between its thousands, whatever the reader's locale. */
export function showCount(count: number | bigint): string {
  // eslint-disable-next-line regexp/no-super-linear-move -- a number has at most 24 characters.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number of things: `1 byte`, `1,024 bytes`. */
export function countOf(count: number | bigint, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 || count === 1n ? one : many}`;
}

/** A rest with its verb: `1 more line is`, `980 more lines are`. */
export function moreAre(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 more ${one} is` : `${showCount(count)} more ${many} are`;
}

/** Characters as people count them more nearly than UTF-16 does: surrogate pairs are one. */
export function countPoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const next = code >= 0xd800 && code <= 0xdbff ? text.charCodeAt(at + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) at++;
    count++;
  }
  return count;
}

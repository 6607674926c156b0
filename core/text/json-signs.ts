/** A sign of JSON: a bracket, a comma, or the quotation mark of a string, and where it or its string ends. */
interface JsonSign {
  readonly sign: string;
  readonly at: number;
  readonly end: number;
}

/**
 * Whole strings, and what opens, closes or divides what is outside of them; all before a string that does not end. Linear, also in the
 * length of a string, which no regular expression passes over whole.
 */
export function* listSigns(text: string): Generator<JsonSign, void> {
  const signs = /["{}[\],]/g;
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const { 0: sign, index: at } = match;
    const quote = sign === '"' ? findQuote(text, at) : at;
    if (quote < 0) return;
    signs.lastIndex = quote + 1;
    yield { sign, at, end: quote + 1 };
  }
}

/** Where the string that begins at a quotation mark ends; -1 where it does not. However long it is. */
export function findQuote(text: string, start: number): number {
  return findUnescaped(text, '"', start + 1);
}

/** Where a sign stands that no backslash escapes; -1 where none does. */
export function findUnescaped(text: string, sign: string, from: number): number {
  let at = text.indexOf(sign, from);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf(sign, at + 1);
  return at;
}

function isEscaped(text: string, place: number): boolean {
  let slashes = 0;
  while (text.charAt(place - 1 - slashes) === '\\') slashes++;
  return slashes % 2 === 1;
}

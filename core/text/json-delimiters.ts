/** A JSON token: a bracket, a comma, or a string, for which `sign` is the quotation mark. `end` is exclusive. */
interface JsonDelimiter {
  readonly sign: string;
  readonly at: number;
  readonly end: number;
}

/**
 * Yields strings, brackets and commas outside of strings; stops before an unterminated string. Linear in the
 * text; `findQuote` skips strings because they may be too long for a regular expression.
 */
export function* listDelimiters(text: string): Generator<JsonDelimiter, void> {
  const signs = /["{}[\],]/g;
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const { 0: sign, index: at } = match;
    const quote = sign === '"' ? findQuote(text, at) : at;
    if (quote < 0) return;
    signs.lastIndex = quote + 1;
    yield { sign, at, end: quote + 1 };
  }
}

/** The offset of the quotation mark that closes the string opened at `start`; -1 if it is not closed. */
export function findQuote(text: string, start: number): number {
  return findUnescaped(text, '"', start + 1);
}

/** The offset of the first `sign` that is not escaped by a backslash; -1 if there is none. */
export function findUnescaped(text: string, sign: string, from: number): number {
  let at = text.indexOf(sign, from);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf(sign, at + 1);
  return at;
}

/** True if the character at an offset follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === '\\') slashes++;
  return slashes % 2 === 1;
}

/**
 * The source texts of the objects in a JSON list of objects; undefined for any other text. The content of the
 * brackets is not validated. Linear in the text.
 */
export function splitObjectList(text: string): readonly string[] | undefined {
  if (!/^[\s\u{feff}]*\[/u.test(text) || !/\][\s]*$/.test(text)) return undefined;
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { sign, at } of listDelimiters(text)) {
    if (sign === '"' || sign === ',') continue;
    if (sign === '{' || sign === '[') {
      if (depth === 1 && sign === '[') return undefined;
      if (depth === 1) start = at;
      depth++;
    } else if (--depth === 1) found.push(text.slice(start, at + 1));
  }
  return depth === 0 && found.length > 0 ? found : undefined;
}

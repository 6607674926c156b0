/** The maximum nesting depth that readers of any language follow; deeper values are treated as raw text. */
export const DEEPEST = 200;

/** Matches a number as JSON writes it. */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses JSON; undefined if the text is invalid. An object or array that is nested deeper than `DEEPEST`
 * becomes a string with its JSON text, and its content is not validated.
 */
export function parseJson(text: string): unknown {
  if (!MAY_BE_JSON.test(text)) return undefined;
  const shallow = text.length < SHORTEST_TOO_DEEP ? text : limitDepth(text);
  if (shallow === undefined) return undefined;
  try {
    return JSON.parse(shallow);
  } catch {
    return undefined;
  }
}

/**
 * How valid JSON begins. Checked first because long texts of other languages, such as AICL with its `[d:`, would
 * otherwise be read to their end.
 */
const MAY_BE_JSON =
  /^[ \t\n\r]*(?:\{[ \t\n\r]*["}]|\[[ \t\n\r]*(?:["{[\]\d-]|true|false|null)|["\d-]|true|false|null)/;

/** The length of the shortest complete text that is nested too deep. */
const SHORTEST_TOO_DEEP = 2 * (DEEPEST + 1);

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Replaces values that are nested too deep by strings. Undefined if a bracket or a string is not closed: the
 * text is invalid, and the engine would allocate each nested value before it reports that.
 */
function limitDepth(text: string): string | undefined {
  const parts: string[] = [];
  let depth = 0;
  let deepStart = 0;
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = findQuote(text, at);
      if (at < 0) return undefined;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth === DEEPEST + 1) deepStart = at;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
      if (depth-- !== DEEPEST + 1) continue;
      parts.push(text.slice(copied, deepStart), JSON.stringify(text.slice(deepStart, at + 1)));
      copied = at + 1;
    }
  }
  if (depth > 0) return undefined;
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

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

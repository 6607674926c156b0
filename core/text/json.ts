import { findQuote } from './json-delimiters.ts';

/** The maximum nesting depth that readers of any language follow; deeper values are treated as raw text. */
export const DEEPEST = 200;

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

import { DEEPEST } from './depth.ts';
import { findQuote } from './json-signs.ts';

/**
 * The value of a JSON text; undefined where it is none, which no JSON text has as its value. An object or array that is
 * nested too deep is a string that holds its JSON: what is inside of it is not checked.
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

/** How JSON begins: the engine counts the lines of a long text before it says that it is none. */
const MAY_BE_JSON = /^[ \t\n\r]*(?:[{["\d-]|true|false|null)/;

/** The length of the shortest text that is nested too deep and whole. */
const SHORTEST_TOO_DEEP = 2 * (DEEPEST + 1);

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * A text of JSON in which values that are nested too deep are strings. Undefined where a bracket or a string is left open,
 * which is no JSON: the engine would store each of them before it says so.
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

import { listDelimiters } from '../../core/text/json.ts';

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

const CONTROL = /[\0-\x1f]/;
/** The number of characters that are examined one by one; long texts are searched, which is faster. */
const FEW = 48;

/** The quotation mark that ends a text from `start`; -1 if there is none, or something to decode or report before it. */
export function findPlainEnd(text: string, start: number): number {
  const few = start + FEW;
  for (let at = start; at < few; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    // False at the end of the text, too.
    if (!(code >= SPACE) || code === BACKSLASH) return -1;
  }
  const end = text.indexOf('"', few);
  if (end < 0) return -1;
  const rest = text.slice(few, end);
  // A search for both would take longer.
  return rest.includes('\\') || CONTROL.test(rest) ? -1 : end;
}

/** The end of the list or dictionary at an offset, undefined if it is not closed, and its number of levels. */
export function measureGroup(
  text: string,
  start: number,
): { readonly end: number | undefined; readonly levels: number } {
  let open = 0;
  let levels = 0;
  for (const { sign, at } of listDelimiters(text.slice(start))) {
    if (sign === '{' || sign === '[') levels = Math.max(levels, ++open);
    else if ((sign === '}' || sign === ']') && --open === 0) return { end: start + at + 1, levels };
  }
  return { end: undefined, levels };
}

import { listDelimiters } from '../../core/text/json.ts';

const SPACE = 32;
const QUOTE = 34;
const BACKSLASH = 92;

const CONTROL = /[\0-\x1f]/;
/** The number of characters from which on the search for control characters waits until somebody needs to know. */
const LONG = 1 << 10;
/** The number of characters that are examined one by one; long texts are searched, which is faster. */
const FEW = 48;

/** Whether RFC 8259 does not allow a part of a text: a number word of Python, or a control character in a string. */
export class Leniency {
  #isFound = false;
  /** Long strings that may have control characters. */
  #open: string[] = [];

  get isFound(): boolean {
    if (this.#open.some(text => CONTROL.test(text))) this.#isFound = true;
    this.#open = [];
    return this.#isFound;
  }

  found(): void {
    this.#isFound = true;
  }

  /** Takes the inside of a string without escapes and line ends. */
  mayBeIn(text: string): void {
    this.#open.push(text);
  }
}

/**
 * The quotation mark that ends a text from `start`; -1 if there is none, or something to decode or report before it.
 * `leniency` takes a long text whose control characters were not searched.
 */
export function findPlainEnd(text: string, start: number, leniency: Leniency): number {
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
  // Searches for one character are many times faster than one for several.
  if (rest.includes('\\')) return -1;
  if (rest.length < LONG) return CONTROL.test(rest) ? -1 : end;
  if (rest.includes('\n') || rest.includes('\r')) return -1;
  leniency.mayBeIn(rest);
  return end;
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

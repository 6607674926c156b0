import type { Span } from '../../core/text/span.ts';

/** A data URL whose data are Base64 (RFC 2397), as it is written. */
export interface DataUrl {
  /** All of it. */
  readonly span: Span;
  readonly data: Span;
  /** Its media type without parameters; empty where it names none. */
  readonly mediaType: string;
}

const START = 'data:';
const HEAD = /^data:((?:[^;,"\\[\]|\s]|\\\/){0,100})((?:;[^;,"\\[\]|\s]{0,100}){0,4}?);base64,/i;
/** No head is longer. */
const LONGEST_HEAD = 520;

/** Characters of Base64 in both its alphabets, with its padding. */
const DIGITS = (() => {
  const digits = new Uint8Array(128);
  for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')
    digits[digit.charCodeAt(0)] = 1;
  return digits;
})();
const [BACKSLASH, SLASH] = [0x5c, 0x2f];

/** Finds data URLs anywhere in a text, in order. One pass. */
export function* listDataUrls(text: string): Generator<DataUrl> {
  for (let at = text.indexOf(START); at >= 0;) {
    const found = readDataUrl(text, at);
    if (found) yield found;
    at = text.indexOf(START, found ? found.span.end : at + START.length);
  }
}

/** The data URL that begins at an offset; undefined for any other text. */
export function readDataUrl(text: string, start: number): DataUrl | undefined {
  const head = HEAD.exec(text.slice(start, start + LONGEST_HEAD));
  if (!head) return undefined;
  const from = start + head[0].length;
  const end = dataEnd(text, from);
  return { span: { start, end }, data: { start: from, end }, mediaType: (head[1] ?? '').replace('\\/', '/') };
}

/** A slash may stand behind a backslash, as some write it in JSON. */
function dataEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (DIGITS[code] === 1) continue;
    if (code !== BACKSLASH || text.charCodeAt(at + 1) !== SLASH) break;
  }
  return at;
}

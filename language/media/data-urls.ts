import type { Span } from '../../core/text/span.ts';

/** A Base64 data URL (RFC 2397), as written. */
export interface DataUrl {
  /** The span of the whole URL. */
  readonly span: Span;
  readonly data: Span;
  /** The media type without parameters; empty if there is none. */
  readonly mediaType: string;
}

const START = 'data:';
const HEAD = /^data:((?:[^;,"\\[\]|\s]|\\\/){0,100})((?:;[^;,"\\[\]|\s]{0,100}){0,4}?);base64,/i;
/** Maximum length of the head. */
const LONGEST_HEAD = 520;

/** The characters of both Base64 alphabets, and padding. */
const DIGITS = (() => {
  const digits = new Uint8Array(128);
  for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=')
    digits[digit.charCodeAt(0)] = 1;
  return digits;
})();
const [BACKSLASH, SLASH] = [0x5c, 0x2f];

/** Finds the data URLs of a text in order. One pass. */
export function* listDataUrls(text: string): Generator<DataUrl> {
  for (let at = text.indexOf(START); at >= 0;) {
    const found = readDataUrl(text, at);
    if (found) yield found;
    at = text.indexOf(START, found ? found.span.end : at + START.length);
  }
}

/** The data URL at an offset; undefined for other text. */
export function readDataUrl(text: string, start: number): DataUrl | undefined {
  const head = HEAD.exec(text.slice(start, start + LONGEST_HEAD));
  if (!head) return undefined;
  const from = start + head[0].length;
  const end = dataEnd(text, from);
  return { span: { start, end }, data: { start: from, end }, mediaType: (head[1] ?? '').replace('\\/', '/') };
}

/** The end of the data. A slash may be escaped with a backslash, as some JSON writers do. */
function dataEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (DIGITS[code] === 1) continue;
    if (code !== BACKSLASH || text.charCodeAt(at + 1) !== SLASH) break;
  }
  return at;
}

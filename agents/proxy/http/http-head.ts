import type { StoredHeader } from '../../../core/events/events.ts';

/** The head of an HTTP/1 message, as it is on the wire. */
export interface MessageHead {
  /** `POST /mcp HTTP/1.1`, `HTTP/1.1 200 OK`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
  /** Its bytes, including the empty line at the end. */
  readonly bytes: Buffer;
  /** True if it breaks the grammar in a way that many callers accept. */
  readonly isLoose: boolean;
}

const CR = 13;
const LF = 10;

/** A method or a version, complete or as far as it has arrived. */
export const MAY_BE_HEAD = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: |$)|HTTP\/)/;

/** How a reply of HTTP/1 begins. */
export const BEGINS_REPLY = /^HTTP\/1\.[01] \d{3}[ \r\n]/;

/**
 * The index after the empty line that ends a head, searched from an index on; -1 if there is none yet. Lines
 * end in LF or CRLF.
 */
export function findHeadEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** True if a line ends in LF alone. */
export function hasBareLineEnd(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) return true;
  return false;
}

/**
 * Parses a head; undefined if the bytes are not one. Requests follow the grammar strictly (RFC 9112), because
 * attackers can exploit two readers that differ. Replies pass unchanged in any case, so forms that clients
 * accept are read too: lines that end in LF alone or continue on the next one, and blanks before a colon.
 */
export function readHead(bytes: Buffer, side: 'requests' | 'replies'): MessageHead | undefined {
  const end = bytes.indexOf(LF) + 1;
  const line = bytes.toString('latin1', 0, end).replace(/\r?\n$/, '');
  const strict = readFields(bytes.subarray(end), 'requests');
  const headers = strict ?? readFields(bytes.subarray(end), side);
  const isLoose = !strict || hasBareLineEnd(bytes);
  if (!headers || (isLoose && side === 'requests') || !START_LINE.test(line)) return undefined;
  return { line, headers, bytes: Buffer.from(bytes), isLoose };
}

/** `METHOD target HTTP/1.x` or `HTTP/1.x STATUS words` (RFC 9112, sections 3 and 4). */
const START_LINE =
  /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e\x80-\xff]+ HTTP\/1\.[01]|HTTP\/1\.[01] \d{3}(?: [\t\x20-\x7e\x80-\xff]*)?)$/;

/** Header fields, `name: value` each, up to the empty line; undefined if one is invalid (RFC 9112, section 5). */
export function readFields(bytes: Buffer, side: 'requests' | 'replies'): readonly StoredHeader[] | undefined {
  const text = bytes.toString('latin1').replace(/\r?\n$/, '');
  const isStrict = side === 'requests';
  const unfolded = isStrict ? text : text.replace(/\r?\n[ \t]+/g, ' ');
  const fields = unfolded.split(isStrict ? '\r\n' : /\r?\n/);
  if (fields.pop() !== '') return undefined;
  const noValue = isStrict ? NO_VALUE : NO_LOOSE_VALUE;
  const headers: StoredHeader[] = [];
  for (const field of fields) {
    const colon = field.indexOf(':');
    const written = field.slice(0, Math.max(0, colon));
    const name = isStrict ? written : trimBlanks(written, 0);
    const value = trimBlanks(field, colon + 1);
    if (!TOKEN.test(name) || !written.startsWith(name) || noValue.test(value)) return undefined;
    headers.push({ name, value });
  }
  return headers;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Characters that no value may contain (RFC 9110, section 5.5): readers drop them, end at them or refuse them. */
const NO_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;
const NO_LOOSE_VALUE = /[\r\n\0]/;

/**
 * The text from an index on, without the spaces and tabs around it. A loop, because a pattern would take
 * quadratic time.
 */
function trimBlanks(text: string, from: number): string {
  let start = from;
  let end = text.length;
  while (isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

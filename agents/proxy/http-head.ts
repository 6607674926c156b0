import type { KeptHeader } from '../../core/events/events.ts';

/** The head of a message of HTTP/1, as it stands on the wire. */
export interface MessageHead {
  /** `POST /mcp HTTP/1.1`, `HTTP/1.1 200 OK`. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
  /** Its bytes, with the empty line that ends it. */
  readonly bytes: Buffer;
  /** True where it breaks the grammar in a way that many callers take all the same. */
  readonly isLoose: boolean;
}

const CR = 13;
const LF = 10;

/** A method or a version as far as it came, or either with what follows it. */
export const MAY_BE_HEAD = /^(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: |$)|HTTP\/)/;

/** How a reply of HTTP/1 begins. */
export const BEGINS_REPLY = /^HTTP\/1\.[01] \d{3}[ \r\n]/;

/** Where the empty line ends that ends a head, looked for from an index on; -1 where there is none yet. Lines end in LF or CRLF. */
export function findHeadEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** True where a line ends in LF alone. */
export function hasBareLineEnd(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) return true;
  return false;
}

/**
 * A head from its bytes; undefined for one that is none. Requests are read by the grammar (RFC 9112), since two that read one
 * differently can be played off against each other. Of replies, which pass untouched whatever they are, that is read too which
 * clients take: lines that end in LF alone or go on with the next one, blanks before a colon.
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

/** `name: value` each, up to the empty line; undefined where one is none (RFC 9112, section 5). */
export function readFields(bytes: Buffer, side: 'requests' | 'replies'): readonly KeptHeader[] | undefined {
  const text = bytes.toString('latin1').replace(/\r?\n$/, '');
  const isStrict = side === 'requests';
  const unfolded = isStrict ? text : text.replace(/\r?\n[ \t]+/g, ' ');
  const fields = unfolded.split(isStrict ? '\r\n' : /\r?\n/);
  if (fields.pop() !== '') return undefined;
  const noValue = isStrict ? NO_VALUE : NO_LOOSE_VALUE;
  const headers: KeptHeader[] = [];
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

/** Characters that no value holds (RFC 9110, section 5.5): readers drop them, end at them or refuse them. */
const NO_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;
const NO_LOOSE_VALUE = /[\r\n\0]/;

/** The text from an index on without the spaces and tabs around it. A loop, because a pattern would take quadratic time. */
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

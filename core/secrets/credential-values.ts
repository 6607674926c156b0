import type { TokenPrefix } from '../catalog/secret-names.ts';
import { trimEndOf } from '../text/trim.ts';

/** Replaces a secret in stored and shown traces. */
export const REDACTED = '[redacted]';

/** A credential that has no end after this many characters is taken to have it there; what follows up to its end belongs to it. */
export const LONGEST = 8 * 1024;

/** The longest user info of an address that is looked for. */
export const LONGEST_USER = 512;

/** The fewest characters of what follows `Bearer` or `Basic` in a text: shorter ones are words. */
const FEWEST_AFTER_SCHEME = 8;

/** Whether more of a text may follow. */
export type Rest = 'more' | 'none';

/** Finds the end of a value from a place on; undefined where more of the text decides. */
export type FindEnd = (text: string, from: number, rest: Rest) => number | undefined;

/** A value that was announced. */
export interface Value {
  readonly start: number;
  readonly findEnd: FindEnd;
  /** What of the value is a credential, in characters from its beginning; 0 for none. */
  readonly judge: (value: string) => number;
  readonly longest: number;
  /** True where that depends on what the document turns out to be. */
  readonly isOpen?: boolean;
}

const BACKSLASH = 0x5c;

/** Where a text that goes on may be cut: not within a run of backslashes. */
export function endOfWhole(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end--;
  return end === 0 ? text.length : end;
}

function endAt(expression: RegExp): FindEnd {
  return (text, from, rest) => {
    expression.lastIndex = from;
    const match = expression.exec(text);
    return match?.index ?? (rest === 'none' ? text.length : undefined);
  };
}

export const endOfAuthority = endAt(/[/?#\s"'<>\\|]/g);
export const endOfParameter = endAt(/[&#\s"<>\\`|\]]/g);
export const endOfField = endAt(/&/g);
export const endOfEncoded = endAt(/[&#\s"<>\\`|\]]|%(?:25)*(?:26|23|20|22)/g);
export const endOfEncodedAuthority = endAt(/[&/?#\s"'<>\\|]|%(?:25)*(?:2[0236F]|3F)/gi);
export const endOfLine = endAt(/[\r\n"]|\\{1,8}[nr"]/g);
export const endOfToken = endAt(/[^\w.~+/=%-]/g);

/** The end of what follows a scheme and the first blank behind it. */
export function endAfterScheme(text: string, from: number, rest: Rest): number | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return endOfToken(text, at, rest);
}

/** The end of a part of a form: the line end before a delimiter, which is no mark of a key in PEM (RFC 7578, RFC 7468). */
export function endOfPart(text: string, from: number, rest: Rest): number | undefined {
  for (let at = text.indexOf(DELIMITER, from); at !== -1; at = text.indexOf(DELIMITER, at + 1)) {
    const next = text.slice(at + DELIMITER.length, at + DELIMITER.length + LONGEST_MARK);
    if (next.length < LONGEST_MARK && rest === 'more') return undefined;
    if (!PEM_MARK.test(next)) return text[at - 1] === '\r' && at > from ? at - 1 : at;
  }
  return rest === 'none' ? text.length : undefined;
}

const DELIMITER = '\n--';
const PEM_MARK = /^---(?:BEGIN|END) /;
const LONGEST_MARK = '---BEGIN '.length;

/** The end of a text of JSON whose quotes have so many backslashes before them: JSON in JSON has one, in that again three. */
export function endOfText(text: string, from: number, rest: Rest, slashes: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let start = at;
    while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
    const run = at - start;
    // Of what is left of the run each backslash of the text itself takes its own and those that escape it.
    const own = (run - slashes) / (slashes + 1);
    if (run < slashes) return start;
    if (own % 2 === 0) return at - slashes;
  }
  return rest === 'none' ? text.length : undefined;
}

export function lengthOfPlain(value: string): number {
  return value === REDACTED ? 0 : value.length;
}

/** Marks that end a sentence or close a bracket are not of a value in it. */
export function lengthOfValue(value: string): number {
  // The bracket that closes it ends a value in a text.
  if (value === REDACTED.slice(0, -1)) return 0;
  let end = value.length;
  while (end > 0 && `'.,;:!)}`.includes(value.charAt(end - 1))) end--;
  return end;
}

export function lengthOfUser(authority: string): number {
  const at = authority.lastIndexOf('@');
  return at <= 0 || authority.slice(0, at) === REDACTED ? 0 : at;
}

/** The same of an address within a parameter. */
export function lengthOfEncodedUser(authority: string): number {
  return Math.max(0, ...['@', '%40', '%2540'].map(mark => authority.lastIndexOf(mark)));
}

/** The last field of a request of AICF: one that another follows is text. */
export function lengthOfLastField(value: string): number {
  return /(?<!\\)\|/.test(value) || value.trim() === '' ? 0 : lengthOfPlain(value);
}

/** `Bearer realm="x"` is a challenge, and `Basic usage` two words. */
export function lengthAfterScheme(value: string): number {
  const written = value.trimStart();
  const token = trimEndOf(written, '.,');
  if (token.length < FEWEST_AFTER_SCHEME || /^[a-z_-]{1,40}=(?:[^=]|$)/.test(written)) return 0;
  const isToken = /[0-9._~+/=%-]/.test(token) || hasBothCases(token);
  return isToken ? value.length - written.length + token.length : 0;
}

function hasBothCases(text: string): boolean {
  // A word may begin with a capital.
  return /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1));
}

export function lengthWithPrefix(value: string, { prefix, least, isCommon = false }: TokenPrefix): number {
  const token = trimEndOf(/^[\w.-]*/.exec(value)?.[0] ?? '', '.-');
  const rest = token.slice(prefix.length);
  if (rest.length < least) return 0;
  return !isCommon || /[0-9]/.test(rest) || hasBothCases(rest) ? token.length : 0;
}

/** A JWT has three parts (RFC 7519), an encrypted one five (RFC 7516). */
export function lengthOfJwt(value: string): number {
  return /^eyJ[\w-]{5,}\.[\w-]*\.[\w-]*(?:\.[\w-]*\.[\w-]*)?/.exec(value)?.[0].length ?? 0;
}

import type { TokenPrefix } from '../catalog/secret-names.ts';
import type { NamedSecret } from '../text/secret.ts';
import { trimEndOf } from '../text/trim.ts';

/** The replacement for secrets in stored and shown traces. */
export const REDACTED = '[redacted]';

/** A secret in a text, by its offsets from the beginning of the text. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** The named secret that covers the whole span, if there is one. */
  readonly named?: NamedSecret | undefined;
}

/**
 * The length in characters after which a credential without an
 * end is redacted anyway, including what follows up to its end.
 */
export const LONGEST = 8 * 1024;

/** The maximum length of the user info of a URL. */
export const LONGEST_USER = 512;

/** The minimum length of a value after `Bearer` or `Basic` in a text; shorter ones are ordinary words. */
const FEWEST_AFTER_SCHEME = 8;

/** Whether more text may follow. */
export type Rest = 'more' | 'none';

/** Finds the end of a value; undefined if more text is needed to decide. */
export type FindEnd = (text: string, from: number, rest: Rest) => number | undefined;

/** A value that was announced. */
export interface Value {
  readonly start: number;
  readonly findEnd: FindEnd;
  /** The length of the credential from the start of the value; 0 if the value is not a credential. */
  readonly judge: (value: string) => number;
  readonly longest: number;
  /** True if it is a credential only if the document turns out to be a sign-in. */
  readonly isOpen?: boolean;
}

const BACKSLASH = 0x5c;

/** The last offset at which an incomplete text may be cut: not inside a run of backslashes. */
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

/** The end of the value after an authentication scheme and the blanks behind it. */
export function endAfterScheme(text: string, from: number, rest: Rest): number | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return endOfToken(text, at, rest);
}

/**
 * The end of a part of a multipart form: the line break before a delimiter, where a PEM mark is not a
 * delimiter (RFC 7578, RFC 7468).
 */
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

/**
 * The end of a JSON string whose quotation marks are escaped by
 * `slashes` backslashes: one for JSON in JSON, three for another level.
 */
export function endOfText(text: string, from: number, rest: Rest, slashes: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let start = at;
    while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
    const run = at - start;
    // Each backslash of the string itself appears as one plus the backslashes that escape it.
    const own = (run - slashes) / (slashes + 1);
    if (run < slashes) return start;
    if (own % 2 === 0) return at - slashes;
  }
  return rest === 'none' ? text.length : undefined;
}

export function lengthOfPlain(value: string): number {
  return value === REDACTED ? 0 : value.length;
}

/** The length of a value without punctuation at its end, which belongs to the surrounding sentence. */
export function lengthOfValue(value: string): number {
  // `findEnd` ends values at brackets, so a redacted value arrives here without its closing bracket.
  if (value === REDACTED.slice(0, -1)) return 0;
  let end = value.length;
  while (end > 0 && `'.,;:!)}`.includes(value.charAt(end - 1))) end--;
  return end;
}

export function lengthOfUser(authority: string): number {
  const at = authority.lastIndexOf('@');
  return at <= 0 || authority.slice(0, at) === REDACTED ? 0 : at;
}

/** The same for a URL inside a URL parameter. */
export function lengthOfEncodedUser(authority: string): number {
  return Math.max(0, ...['@', '%40', '%2540'].map(mark => authority.lastIndexOf(mark)));
}

/** The length of the last field of an AICF request; 0 if another field follows, because it is then ordinary text. */
export function lengthOfLastField(value: string): number {
  return /(?<!\\)\|/.test(value) || value.trim() === '' ? 0 : lengthOfPlain(value);
}

/** Excludes challenges such as `Bearer realm="x"` and ordinary words such as `Basic usage`. */
export function lengthAfterScheme(value: string): number {
  const written = value.trimStart();
  const token = trimEndOf(written, '.,');
  if (token.length < FEWEST_AFTER_SCHEME || /^[a-z_-]{1,40}=(?:[^=]|$)/.test(written)) return 0;
  const isToken = /[0-9._~+/=%-]/.test(token) || hasBothCases(token);
  return isToken ? value.length - written.length + token.length : 0;
}

function hasBothCases(text: string): boolean {
  // The first letter is ignored because a word may be capitalized.
  return /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1));
}

export function lengthWithPrefix(value: string, { prefix, least, isCommon = false }: TokenPrefix): number {
  const token = trimEndOf(/^[\w.-]*/.exec(value)?.[0] ?? '', '.-');
  const rest = token.slice(prefix.length);
  if (rest.length < least) return 0;
  return !isCommon || /[0-9]/.test(rest) || hasBothCases(rest) ? token.length : 0;
}

/** A JWT has three parts (RFC 7519), an encrypted one has five (RFC 7516). */
export function lengthOfJwt(value: string): number {
  return /^eyJ[\w-]{5,}\.[\w-]*\.[\w-]*(?:\.[\w-]*\.[\w-]*)?/.exec(value)?.[0].length ?? 0;
}

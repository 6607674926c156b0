import { TOKEN_PREFIXES, type TokenPrefix } from '../catalog/secret-names.ts';
import { decodeUrl } from '../text/decode-url.ts';
import {
  endAfterScheme,
  endOfAuthority,
  endOfEncoded,
  endOfEncodedAuthority,
  endOfField,
  endOfLine,
  endOfParameter,
  endOfPart,
  endOfToken,
  lengthAfterScheme,
  lengthOfEncodedUser,
  lengthOfJwt,
  lengthOfLastField,
  lengthOfPlain,
  lengthOfUser,
  lengthOfValue,
  lengthWithPrefix,
  LONGEST,
  LONGEST_USER,
  type FindEnd,
  type Value,
} from './credential-values.ts';
import { isSecretName } from './secret-name.ts';

/** False for a text in which nothing announces a credential. */
export function mayHoldCredentials(text: string): boolean {
  return findAnnouncement(text, 0) < text.length;
}

const EQUALS = 0x3d;
const QUOTE = 0x22;
const SLASH = 0x2f;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const PERCENT = 0x25;

/** The most blanks and backslashes between a name, its colon and its value. */
const MOST_BLANKS = 200;
const LONGEST_NAME = 200;

/** What is before the user info of an address, also as JSON escapes it. */
const ADDRESS = /:(?:\\{0,8}\/){2}$/;

/** The same where the address is within a parameter. */
const ENCODED_ADDRESS = /%(?:25)?3A(?:%(?:25)?2F){2}$/i;

/** The last field of a request of AICF begins, if it is a credential. */
const AUTH = /\|AUTH:$/;

/** How announcements end, but for those of parameters and members. */
const ENDS = [
  '://',
  String.raw`/\/`,
  String.raw`\\/`,
  ...['er', 'eR', 'Er', 'ER', 'ic', 'iC', 'Ic', 'IC'].flatMap(end => [`${end} `, `${end}\t`, `${end}+`]),
  '%20',
  '%3D',
  '%3d',
  '53D',
  '53d',
  '03D',
  '03d',
  '%2F',
  '%2f',
  '52F',
  '52f',
  'TH:',
  'eyJ',
  ...TOKEN_PREFIXES.map(({ prefix }) => prefix.slice(-3)),
];

/** Of each character whether an announcement may end with it: 1 always, 2 if the two before it are right. */
const LAST = new Uint8Array(128);
/** Whether three characters may end an announcement, by a number that few others share. */
const LAST_THREE = new Uint8Array(1 << 16);

function numberOf(first: number, second: number, third: number): number {
  return ((first * 33 + second) * 33 + third) & 0xffff;
}

for (const end of ENDS) {
  LAST[end.charCodeAt(2)] = 2;
  LAST_THREE[numberOf(end.charCodeAt(0), end.charCodeAt(1), end.charCodeAt(2))] = 1;
}
LAST[EQUALS] = 1;
LAST[QUOTE] = 1;
LAST[LINE_FEED] = 1;

/** The first place from one on at which an announcement may end; the length of the text where there is none. */
export function findAnnouncement(text: string, from: number): number {
  for (let at = Math.max(0, from); at < text.length; at++) {
    const code = text.charCodeAt(at);
    const last = code < 128 ? LAST[code] : 0;
    if (last === 0) continue;
    if (last === 1) {
      if (code === EQUALS) return at;
      // A text of JSON that is a value begins after a colon, and a part of a form after an empty line.
      if (code === QUOTE ? followsColon(text, at) : followsLineEnd(text, at)) return at;
    } else if (LAST_THREE[numberOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), code)] === 1) return at;
  }
  return text.length;
}

/** True where a colon is before a place, but for a few blanks and backslashes. */
function followsColon(text: string, at: number): boolean {
  let before = at - 1;
  for (let steps = 0; steps < MOST_BLANKS && isBlankOrBackslash(text.charCodeAt(before)); steps++) before--;
  return text.charCodeAt(before) === COLON;
}

function followsLineEnd(text: string, at: number): boolean {
  return text.charCodeAt(text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 2 : at - 1) === LINE_FEED;
}

function isBlankOrBackslash(code: number): boolean {
  return code === BACKSLASH || code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** The name of the member whose value begins with a quote, and how many backslashes its quotes have. */
export function findMember(
  text: string,
  quote: number,
): { readonly name: string; readonly slashes: number } | undefined {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  const slashes = quote - at;
  while (text.charCodeAt(at - 1) !== COLON) at--;
  at--;
  for (let steps = 0; steps < MOST_BLANKS && isBlankOrBackslash(text.charCodeAt(at - 1)); steps++) at--;
  at--;
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  const end = at - slashes;
  for (let start = end; end - start <= LONGEST_NAME && start > 0; start--)
    if (text.charCodeAt(start - 1) === QUOTE) return { name: text.slice(start, end), slashes };
  return undefined;
}

/** A parameter of an address whose name ends at a place. */
function readParameter(text: string, end: number, start: number, findEnd: FindEnd): Value | undefined {
  const name = findParameter(text, end);
  if (name === undefined || !isSecretName(decodeUrl(name), 'other')) return undefined;
  return { start, findEnd, judge: lengthOfValue, longest: LONGEST };
}

/** A field of a form whose name ends at a place: all between `&` is its name and its value. */
function readField(text: string, end: number): Value | undefined {
  const before = text.slice(Math.max(0, end - LONGEST_NAME), end);
  const name = before.slice(before.lastIndexOf('&') + 1);
  if (name.length === before.length || name.includes('=') || !isSecretName(decodeUrl(name), 'other'))
    return undefined;
  return { start: end + 1, findEnd: endOfField, judge: lengthOfPlain, longest: LONGEST };
}

/** A parameter within another one, `%26token%3D`, or in a text of JSON that escapes what HTML has marks for, `\u003d`. */
function readEncodedParameter(text: string, start: number): Value | undefined {
  const equals = /(?:%(?:25)?3|\\{1,8}u003)[Dd]$/.exec(text.slice(Math.max(0, start - 20), start))?.[0];
  if (equals === undefined) return undefined;
  const findEnd = equals.startsWith('%') ? endOfEncoded : endOfParameter;
  return readParameter(text, start - equals.length, start, findEnd);
}

/** The user info of an address within a parameter. */
function readEncodedUser(text: string, start: number): Value | undefined {
  return ENCODED_ADDRESS.test(text.slice(Math.max(0, start - 20), start))
    ? { start, findEnd: endOfEncodedAuthority, judge: lengthOfEncodedUser, longest: LONGEST_USER }
    : undefined;
}

/** The credential of a request of AICF. */
function readAuth(text: string, start: number): Value | undefined {
  return AUTH.test(text.slice(Math.max(0, start - 6), start))
    ? { start, findEnd: endOfLine, judge: lengthOfLastField, longest: LONGEST }
    : undefined;
}

/** A part of a form, by its head (RFC 7578). */
function readPart(text: string, start: number): Value | undefined {
  const lines = text.slice(Math.max(0, start - CONTEXT), start).split(/\r?\n/);
  const head = lines.slice(lines.findLastIndex(line => line.startsWith('--')) + 1, -2);
  const [, ...parameters] = head.find(line => FORM_DATA.test(line))?.split(';') ?? [];
  const [, name = ''] = parameters.map(each => NAME.exec(each)).find(found => found !== null) ?? [];
  return isSecretName(name, 'other')
    ? { start, findEnd: endOfPart, judge: lengthOfPlain, longest: LONGEST }
    : undefined;
}

const FORM_DATA = /^content-disposition:[ \t]{0,20}form-data[ \t]{0,20};/i;
const NAME = /^[ \t]{0,20}name="?([^"]*)/i;

/** The name that ends at a place, if a mark is before it after which a parameter begins. */
function findParameter(text: string, end: number): string | undefined {
  let at = end;
  while (at > 0 && end - at <= LONGEST_NAME) {
    const code = text.charCodeAt(at - 1);
    if (code === PERCENT ? ENCODED_MARK.test(text.slice(at, at + 4)) : !isOfName(code)) break;
    at--;
  }
  const name = text.slice(at, end);
  const mark = text.charCodeAt(at - 1);
  if (mark === PERCENT) return /^(?:25)?(?:3F|26|23)(.+)$/i.exec(name)?.[1];
  if (mark === BACKSLASH) return /^u0026(.+)$/.exec(name)?.[1];
  return at > 0 && name !== '' && '?&#;'.includes(text.charAt(at - 1)) ? name : undefined;
}

/** What is before a parameter in an address within another one, or no code of a character. */
const ENCODED_MARK = /^(?:(?:25)?(?:3F|26|23|3D|2[02])|(?![0-9A-F]{2}))/i;

/** All but blanks and what delimits parameters, addresses and texts. */
function isOfName(code: number): boolean {
  return code > 0x20 && !'"#&\';<=>?\\`{|}'.includes(String.fromCharCode(code));
}

/** What follows `Bearer` or `Basic`. */
function readScheme(text: string, start: number): Value | undefined {
  return SCHEME.test(text.slice(Math.max(0, start - 12), start))
    ? { start, findEnd: endAfterScheme, judge: lengthAfterScheme, longest: LONGEST }
    : undefined;
}

const SCHEME = /(?:^|[^A-Za-z0-9])(?:bearer|basic)(?:[ \t+]|%20)$/i;

const ROWS: ReadonlyMap<string, TokenPrefix | 'jwt'> = new Map<string, TokenPrefix | 'jwt'>([
  ...TOKEN_PREFIXES.map(row => [row.prefix, row] as const),
  ['eyJ', 'jwt'],
]);
const PREFIX_LENGTHS = [...new Set([...ROWS.keys()].map(({ length }) => length))];

/** A token of a service, or a JWT, by the prefix that ends at a place. */
function readPrefix(text: string, start: number): Value | undefined {
  for (const length of PREFIX_LENGTHS) {
    const row = ROWS.get(text.slice(Math.max(0, start - length), start));
    if (row === undefined || /[A-Za-z0-9]/.test(text.charAt(start - length - 1))) continue;
    const judge = row === 'jwt' ? lengthOfJwt : (value: string) => lengthWithPrefix(value, row);
    return { start: start - length, findEnd: endOfToken, judge, longest: LONGEST };
  }
  return undefined;
}

/** How much of a text before a place is looked at for what announces a credential there. */
export const CONTEXT = 500;

/**
 * The value that an announcement is of which ends at a place, in a form or in any other text; undefined where none begins there,
 * and `member` for one of JSON.
 */
export function readAnnounced(all: string, at: number, text: 'form' | 'other'): Value | 'member' | undefined {
  const start = at + 1;
  switch (all.charCodeAt(at)) {
    case EQUALS:
      return (
        (text === 'form' ? readField(all, at) : undefined) ?? readParameter(all, at, start, endOfParameter)
      );
    case QUOTE:
      return 'member';
    case SLASH:
      return ADDRESS.test(all.slice(Math.max(0, start - 20), start))
        ? { start, findEnd: endOfAuthority, judge: lengthOfUser, longest: LONGEST_USER }
        : undefined;
    case LINE_FEED:
      return readPart(all, start);
    default:
      return (
        readScheme(all, start) ??
        readEncodedParameter(all, start) ??
        readPrefix(all, start) ??
        readEncodedUser(all, start) ??
        readAuth(all, start)
      );
  }
}

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

const EQUALS = 0x3d;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const PERCENT = 0x25;

/** The maximum number of blanks and backslashes between a name, its colon and its value. */
const MAX_BLANKS = 200;
const LONGEST_NAME = 200;

/** The beginnings of tokens that are recognised by their form, and their last characters. */
const PREFIXES = ['eyJ', ...TOKEN_PREFIXES.map(({ prefix }) => prefix)];
const PREFIX_ENDS = [...new Set(PREFIXES.map(prefix => prefix.slice(-1)))];
const LOWER_CASE = /[a-z]/;

/**
 * Finds announcements. Each alternative begins with a character that is rare in text, and looks back from there
 * where the announcement begins earlier: the engine skips other characters several times faster than a loop would.
 */
const ANNOUNCEMENT = new RegExp(
  [
    '=',
    // A JSON string that is a value follows a colon, with at most a few blanks and backslashes in between.
    String.raw`"(?<=:[\t-\r \\]{0,${MAX_BLANKS}}")`,
    // The content of a form part follows an empty line.
    String.raw`\n(?<=\n\r?\n)`,
    String.raw`/(?<=:(?:\\{0,8}/){2})`,
    String.raw`[Bb](?:[Ee][Aa][Rr][Ee][Rr]|[Aa][Ss][Ii][Cc])(?:[ \t+]|%20)`,
    '%(?:25)?(?:3[Dd]|2[Ff])',
    String.raw`\\u003[Dd]`,
    String.raw`\|AUTH:`,
    ...PREFIX_ENDS.map(last => {
      const all = PREFIXES.filter(prefix => prefix.endsWith(last)).join('|');
      const source = LOWER_CASE.test(last) ? all : `${last}(?<=(?<![A-Za-z0-9])(?:${all}))`;
      return source.replaceAll('.', String.raw`\.`);
    }),
  ].join('|'),
  'g',
);

/** The maximum length of an announcement that is found from its beginning: `Bearer%20`. */
const LONGEST_ANNOUNCEMENT = 9;

/** The offset of the last character of the first announcement that ends at or after `from`; the text's length if there is none. */
export function findAnnouncement(text: string, from: number): number {
  ANNOUNCEMENT.lastIndex = Math.max(0, from - LONGEST_ANNOUNCEMENT);
  while (ANNOUNCEMENT.test(text)) {
    const at = ANNOUNCEMENT.lastIndex - 1;
    if (at >= from) return at;
  }
  return text.length;
}

function isBlankOrBackslash(code: number): boolean {
  return code === BACKSLASH || code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * The name of the JSON member whose value begins with this quotation
 * mark, and the number of backslashes that escape its quotation marks.
 */
export function findMember(
  text: string,
  quote: number,
): { readonly name: string; readonly slashes: number } | undefined {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at--;
  const slashes = quote - at;
  while (text.charCodeAt(at - 1) !== COLON) at--;
  at--;
  for (let steps = 0; steps < MAX_BLANKS && isBlankOrBackslash(text.charCodeAt(at - 1)); steps++) at--;
  at--;
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  const end = at - slashes;
  for (let start = end; end - start <= LONGEST_NAME && start > 0; start--)
    if (text.charCodeAt(start - 1) === QUOTE) return { name: text.slice(start, end), slashes };
  return undefined;
}

/** Reads a URL parameter whose name ends at an offset. */
function readParameter(text: string, end: number, start: number, findEnd: FindEnd): Value | undefined {
  const name = findParameter(text, end);
  if (name === undefined || !isSecretName(decodeUrl(name), 'other')) return undefined;
  return { start, findEnd, judge: lengthOfValue, longest: LONGEST };
}

/** Reads a form field whose name ends at an offset. Fields are separated by `&` only. */
function readField(text: string, end: number): Value | undefined {
  const before = text.slice(Math.max(0, end - LONGEST_NAME), end);
  const name = before.slice(before.lastIndexOf('&') + 1);
  if (name.length === before.length || name.includes('=') || !isSecretName(decodeUrl(name), 'other'))
    return undefined;
  return { start: end + 1, findEnd: endOfField, judge: lengthOfPlain, longest: LONGEST };
}

/**
 * Reads a parameter that is encoded inside another one,
 * `%26token%3D`, or that a JSON text escapes as HTML-safe, `\u003d`.
 */
function readEncodedParameter(text: string, start: number): Value | undefined {
  const equals = /(?:%(?:25)?3|\\{1,8}u003)[Dd]$/.exec(text.slice(Math.max(0, start - 20), start))?.[0];
  if (equals === undefined) return undefined;
  const findEnd = equals.startsWith('%') ? endOfEncoded : endOfParameter;
  return readParameter(text, start - equals.length, start, findEnd);
}

/** Reads a part of a multipart form by its head (RFC 7578). */
function readPart(text: string, start: number): Value | undefined {
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  // Empty lines are frequent, and mostly end an event.
  if (!/form-data/i.test(before)) return undefined;
  const lines = before.split(/\r?\n/);
  const head = lines.slice(lines.findLastIndex(line => line.startsWith('--')) + 1, -2);
  const [, ...parameters] = head.find(line => FORM_DATA.test(line))?.split(';') ?? [];
  const [, name = ''] = parameters.map(each => NAME.exec(each)).find(found => found !== null) ?? [];
  return isSecretName(name, 'other')
    ? { start, findEnd: endOfPart, judge: lengthOfPlain, longest: LONGEST }
    : undefined;
}

const FORM_DATA = /^content-disposition:[ \t]{0,20}form-data[ \t]{0,20};/i;
const NAME = /^[ \t]{0,20}name="?([^"]*)/i;

/** The parameter name that ends at an offset; undefined if no delimiter precedes it. */
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

/** An encoded delimiter before a parameter in a nested URL, or a percent sign that encodes nothing. */
const ENCODED_MARK = /^(?:(?:25)?(?:3F|26|23|3D|2[02])|(?![0-9A-F]{2}))/i;

/** True for characters that may be part of a parameter name: all except blanks and delimiters. */
function isOfName(code: number): boolean {
  return code > 0x20 && !'"#&\';<=>?\\`{|}'.includes(String.fromCharCode(code));
}

/** Values that are announced by the characters before them alone. */
const FORMS: readonly (Pick<Value, 'findEnd' | 'judge' | 'longest'> & { readonly before: RegExp })[] = [
  {
    before: /(?:^|[^A-Za-z0-9])(?:bearer|basic)(?:[ \t+]|%20)$/i,
    findEnd: endAfterScheme,
    judge: lengthAfterScheme,
    longest: LONGEST,
  },
  // The user info of a URL, also with slashes escaped as in JSON, or inside a URL parameter.
  {
    before: /:(?:\\{0,8}\/){2}$/,
    findEnd: endOfAuthority,
    judge: lengthOfUser,
    longest: LONGEST_USER,
  },
  {
    before: /%(?:25)?3A(?:%(?:25)?2F){2}$/i,
    findEnd: endOfEncodedAuthority,
    judge: lengthOfEncodedUser,
    longest: LONGEST_USER,
  },
  // The last field of an AICF request.
  { before: /\|AUTH:$/, findEnd: endOfLine, judge: lengthOfLastField, longest: LONGEST },
];

const LONGEST_FORM = 20;

function readForm(text: string, start: number): Value | undefined {
  const end = text.slice(Math.max(0, start - LONGEST_FORM), start);
  const form = FORMS.find(({ before }) => before.test(end));
  return form && { start, ...form };
}

const ROWS: ReadonlyMap<string, TokenPrefix | 'jwt'> = new Map<string, TokenPrefix | 'jwt'>([
  ...TOKEN_PREFIXES.map(row => [row.prefix, row] as const),
  ['eyJ', 'jwt'],
]);
const PREFIX_LENGTHS = [...new Set([...ROWS.keys()].map(({ length }) => length))];

/** Reads a JWT or a token of a known service, given that its prefix ends at an offset. */
function readPrefix(text: string, start: number): Value | undefined {
  for (const length of PREFIX_LENGTHS) {
    const row = ROWS.get(text.slice(Math.max(0, start - length), start));
    if (row === undefined || /[A-Za-z0-9]/.test(text.charAt(start - length - 1))) continue;
    const judge = row === 'jwt' ? lengthOfJwt : (value: string) => lengthWithPrefix(value, row);
    return { start: start - length, findEnd: endOfToken, judge, longest: LONGEST };
  }
  return undefined;
}

/** The number of characters before an offset that are searched for an announcement. */
export const CONTEXT = 500;

/**
 * The value that is announced by what ends at `at`, in a form or another text: `member` for a JSON member,
 * undefined if nothing is announced there.
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
    case LINE_FEED:
      return readPart(all, start);
    default:
      return readForm(all, start) ?? readEncodedParameter(all, start) ?? readPrefix(all, start);
  }
}

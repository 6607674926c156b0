import { quote } from '../../../core/text/quote.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import type { MessageHead } from './http-head.ts';
import { headerValues } from '../../../core/events/headers.ts';

/** How the end of a message's body is found (RFC 9112, section 6.3). */
export type Framing = 'none' | 'chunked' | 'until-close' | 'tunnel' | { readonly length: number };

/** The framing of a message, or why it is ambiguous, for a sentence. */
export type FramingResult = { readonly framing: Framing } | { readonly fault: string };

/** A length without a sign, blanks or leading zeros; some readers take the latter for octal. */
const LENGTH = /^(?:0|[1-9]\d{0,14})$/;

/** How the body of a request is framed. */
export function frameRequest({ line, headers }: MessageHead): FramingResult {
  const fault = findMethodFault(line) ?? findFault(line, headers);
  if (fault !== undefined) return { fault };
  return { framing: findBody(headers) ?? 'none' };
}

/** How the body of a reply to a request of this method is framed. */
export function frameReply(head: MessageHead, method: string): FramingResult {
  const { line, headers } = head;
  const status = statusOf(line);
  const fault = findFault(line, headers) ?? findLooseFault(head) ?? findStatusFault(status, headers);
  if (fault !== undefined) return { fault };
  if (status === 101) return { framing: 'tunnel' };
  if (method === 'HEAD' || hasNoBody(status) || status === 304) return { framing: 'none' };
  return { framing: findBody(headers) ?? 'until-close' };
}

/** The status of a reply by its first line. */
export function statusOf(line: string): number {
  return Number(/^\S+ (\d{3})/.exec(line)?.[1] ?? 0);
}

/** The values of a header that is a list of tokens, in lower case. */
export function listTokens(headers: readonly StoredHeader[], wanted: string): readonly string[] {
  return headerValues(headers, wanted)
    .flatMap(value => value.split(','))
    .map(token => token.trim().toLowerCase())
    .filter(token => token !== '');
}

/**
 * Headers that decide on the end, the receiver or the handling of a message: they must not be trailers (RFC
 * 9110, section 6.5.1).
 */
const NO_TRAILERS: ReadonlySet<string> = new Set(
  'connection,content-encoding,content-length,content-type,expect,host,http2-settings,origin,sec-fetch-site,te,trailer,transfer-encoding,upgrade'.split(
    ',',
  ),
);

/** Why trailers are refused, for a sentence; undefined if they may pass. */
export function findTrailerFault(headers: readonly StoredHeader[]): string | undefined {
  const found = headers.find(({ name }) => NO_TRAILERS.has(canonicalOf(name)));
  return found && `its trailers hold ${found.name}, which belongs in the head`;
}

function findBody(headers: readonly StoredHeader[]): Framing | undefined {
  if (headerValues(headers, 'transfer-encoding').length > 0) return 'chunked';
  const [length] = headerValues(headers, 'content-length');
  return length === undefined ? undefined : { length: Number(length) };
}

/** Methods whose replies end in another way than all others. */
const SPECIAL_METHODS: ReadonlySet<string> = new Set(['HEAD', 'CONNECT']);

/** Methods are case-sensitive (RFC 9110, section 9.1), but some readers accept other spellings. */
function findMethodFault(line: string): string | undefined {
  const [method = ''] = line.split(' ');
  const meant = method.toUpperCase();
  return meant !== method && SPECIAL_METHODS.has(meant)
    ? `its method is ${quote(method)}, which some parsers read as ${meant}`
    : undefined;
}

/** What RFC 9112, section 6.3, lets readers understand in several ways, or refuse. */
function findFault(line: string, headers: readonly StoredHeader[]): string | undefined {
  const lengths = headerValues(headers, 'content-length');
  const codings = headerValues(headers, 'transfer-encoding');
  const [length] = lengths;
  const [coding] = codings;
  const dropped = listTokens(headers, 'connection').find(option => FRAMING_NAMES.has(option));
  if (dropped !== undefined) return `its Connection header names ${dropped}, which some parsers then remove`;
  const misspelled = headers.find(({ name }) => {
    const lower = name.toLowerCase();
    return lower !== canonicalOf(name) && FRAMING_NAMES.has(canonicalOf(name));
  });
  if (misspelled)
    return `it has the header ${misspelled.name}, which some parsers read as ${canonicalOf(misspelled.name)}`;
  if (length !== undefined && coding !== undefined) return 'it has both Content-Length and Transfer-Encoding';
  if (lengths.length > 1) return `it has ${lengths.length} Content-Length headers`;
  if (codings.length > 1) return `it has ${codings.length} Transfer-Encoding headers`;
  if (length !== undefined && !LENGTH.test(length))
    return `its Content-Length is ${quote(length)}, which is not a plain number`;
  if (coding === undefined) return undefined;
  if (coding.toLowerCase() !== 'chunked')
    return `its Transfer-Encoding is ${quote(coding)}, and 'chunked' alone is known`;
  return /^HTTP\/1\.0 | HTTP\/1\.0$/.test(line)
    ? 'it has Transfer-Encoding, which HTTP/1.0 does not know'
    : undefined;
}

const FRAMING_NAMES: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** Replies without a body must not announce one: callers would wait and take the next reply's bytes for it. */
function findStatusFault(status: number, headers: readonly StoredHeader[]): string | undefined {
  const body = hasNoBody(status) ? findBody(headers) : undefined;
  return body === undefined || (typeof body === 'object' && body.length === 0)
    ? undefined
    : `its status ${status} has no body, and its head announces one`;
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204;
}

/** A loose head passes if all readers that accept it agree on where its body ends. */
function findLooseFault({ isLoose, bytes }: MessageHead): string | undefined {
  if (!isLoose) return undefined;
  const text = bytes.toString('latin1');
  const isMixed = text.includes('\r\n') && /[^\r]\n/.test(text);
  if (isMixed && !text.endsWith('\r\n\r\n'))
    return 'its head ends in LF alone, and other lines of it in CRLF';
  // Some callers ignore all headers after one with a blank before its colon.
  const blank = BLANK_BEFORE_COLON.exec(text)?.index ?? text.length;
  return (isMixed && LENGTH_BEHIND_LF.test(text)) ||
    LOOSE_LENGTH.test(text) ||
    LENGTH_LINE.test(text.slice(blank))
    ? 'a line that says how long its body is breaks the grammar of HTTP/1.1'
    : undefined;
}

const BLANK_BEFORE_COLON = /\n[!-9;-~]+[ \t]+:/;
const LENGTH_LINE = /\n(?:content-length|transfer-encoding):/i;
const LENGTH_BEHIND_LF = /[^\r]\n(?:content-length|transfer-encoding)[ \t]*:/i;
const LOOSE_LENGTH =
  /\n(?:[ \t]+(?:content-length|transfer-encoding)[ \t]*:|(?:content-length|transfer-encoding)(?:[ \t]+:|:[^\n]*\n[ \t]))/i;

function canonicalOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

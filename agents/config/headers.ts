import { quote } from '../../core/text/quote.ts';

/**
 * Headers that frame a request or decide which server handles it (RFC 9110 section 7, RFC 9112 section 6):
 * with other values, two servers on the way could read different requests. The client sets them itself.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Why configuration cannot set a header of this name; undefined if it can. */
export function findHeaderNameFault(name: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return `${quote(name)} cannot be a header's name; use letters, digits and hyphens`;
  // Servers of the CGI kind treat an underscore as a hyphen.
  return OWN_HEADERS.has(name.toLowerCase().replaceAll('_', '-'))
    ? `The header ${quote(name)} cannot be set, because Parley sets it from the address and the request; remove it`
    : undefined;
}

/** True for a value that HTTP can carry: Latin-1 without control characters except TAB (RFC 9110 section 5.5). */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

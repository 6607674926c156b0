import { decodeBase64 } from '../../core/text/base64.ts';

/** The bytes of a medium, or a sentence that says why there are none. */
export type MediaReading =
  { readonly kind: 'ok'; readonly bytes: Uint8Array } | { readonly kind: 'fault'; readonly problem: string };

/**
 * Decodes Base64 as it stands in a message: in either alphabet (RFC 4648, sections 4 and 5), with or without padding,
 * with line ends, and with the escapes that JSON and AICF write for these and for slashes.
 */
export function readMediaBytes(written: string): MediaReading {
  const bytes = decodeBase64(plainBase64(written));
  if (bytes) return { kind: 'ok', bytes };
  return {
    kind: 'fault',
    problem: 'These are no bytes: the text is not whole Base64. Ask the agent for it again',
  };
}

/** The same Base64 in the one alphabet that a data URL takes, padded. */
export function plainBase64(written: string): string {
  const digits = written
    .replace(/\\[nrt]?|\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  let end = digits.length;
  while (digits[end - 1] === '=') end--;
  return digits.slice(0, end).padEnd(Math.ceil(end / 4) * 4, '=');
}

import type { MediaKind } from '../../core/catalog/media.ts';
import type { Span } from '../../core/text/span.ts';
import { decodeBase64 } from '../../core/text/base64.ts';

/** A picture, sound, video or file in a text. */
export interface Medium {
  /** The span of its content in the text: Base64, a data URL or an address. */
  readonly span: Span;
  readonly kind: MediaKind;
  /**
   * The stated media type, or else one recognised from the first bytes; undefined if unknown. Lower case,
   * without parameters.
   */
  readonly mediaType: string | undefined;
  /** The stated name; undefined if there is none. */
  readonly name: string | undefined;
  /** The bytes as Base64, including escapes of the surrounding text, or the address. */
  readonly content: { readonly base64: string } | { readonly address: string };
}

/** The first media of a text, in order. */
export interface MediaList {
  readonly media: readonly Medium[];
  /** True where the text has more. */
  readonly isCut: boolean;
}

/** The bytes of a medium, or a sentence that explains why they cannot be read. */
export type MediaReading =
  | { readonly kind: 'ok'; readonly bytes: Uint8Array }
  | { readonly kind: 'fault'; readonly problem: string };

/**
 * Decodes Base64 as written in a message: in either alphabet (RFC 4648, sections 4 and 5), with or without
 * padding, with line ends, and with the escapes that JSON and AICF use for line ends and slashes.
 */
export function readMediaBytes(written: string): MediaReading {
  const bytes = decodeBase64(plainBase64(written));
  if (bytes) return { kind: 'ok', bytes };
  return {
    kind: 'fault',
    problem: 'The text is not valid Base64. Ask the agent for it again',
  };
}

/** Converts Base64 to the standard alphabet with padding, as data URLs require. */
export function plainBase64(written: string): string {
  const digits = written
    .replace(/\\[nrt]?|\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  let end = digits.length;
  while (digits[end - 1] === '=') end--;
  return digits.slice(0, end).padEnd(Math.ceil(end / 4) * 4, '=');
}

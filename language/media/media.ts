import { type MediaKind, MEDIA_ENDINGS, ANY_MEDIA } from '../../core/catalog/media.ts';
import type { Span } from '../../core/text/span.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { showBytes } from '../../tensor/size-words.ts';
import { showCount } from '../../core/text/count.ts';
import { trimOf } from '../../core/text/trim.ts';

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

/** A medium without its place in a text. */
export type MediumContent = Omit<Medium, 'span'>;

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

/** The data in the head of a picture file. */
export interface PictureHead {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** Reads the size of a picture from the first bytes of a PNG, JPEG, GIF or WebP file; undefined for other bytes. */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(bytes, view) ?? readGif(bytes, view) ?? readWebp(bytes, view) ?? readJpeg(bytes, view);
}

/** PNG (ISO/IEC 15948), section 11.2.2: the first chunk is IHDR. */
function readPng(bytes: Uint8Array, view: DataView): PictureHead | undefined {
  if (bytes.length < 24 || !hasText(bytes, 1, 'PNG\r\n') || !hasText(bytes, 12, 'IHDR')) return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** GIF 89a, section 18: the logical screen. */
function readGif(bytes: Uint8Array, view: DataView): PictureHead | undefined {
  if (bytes.length < 10 || !hasText(bytes, 0, 'GIF8')) return undefined;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** WebP (RFC 9649), section 2.5 to 2.7: a lossy, lossless or extended file. */
function readWebp(bytes: Uint8Array, view: DataView): PictureHead | undefined {
  if (bytes.length < 30 || !hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return undefined;
  const size = (width: number, height: number): PictureHead => ({ mediaType: 'image/webp', width, height });
  if (hasText(bytes, 12, 'VP8 '))
    return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (!hasText(bytes, 12, 'VP8X')) return undefined;
  const dimension = (at: number): number => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16) + 1;
  return size(dimension(24), dimension(27));
}

/** JPEG (ITU-T T.81), annex B: skips segments up to the frame header. */
function readJpeg(bytes: Uint8Array, view: DataView): PictureHead | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes, which may precede a marker, and markers without a segment.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isFrame(marker))
      return { mediaType: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** True for SOF0 to SOF15, except the table markers in that range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

/** The action of an editor for each kind of medium. */
export const MEDIA_ACTIONS: Readonly<Record<MediaKind, string>> = {
  image: 'Show image',
  audio: 'Play audio',
  video: 'Show video',
  file: 'Save file',
};

/** Facts about a medium besides its name, as sentences without a full stop; the first one is its type. */
export function describeMedium(
  medium: Pick<Medium, 'kind' | 'mediaType'>,
  reading: MediaReading | undefined,
): readonly string[] {
  const { kind, mediaType } = medium;
  const what = mediaType ?? `${kind} of an undeclared type`;
  if (!reading) return [what, 'It is not in the message, which has only its address'];
  if (reading.kind === 'fault') return [what, reading.problem];
  const head = readPictureHead(reading.bytes);
  const size = head ? [`${showCount(head.width)}×${showCount(head.height)} pixels`] : [];
  return [what, ...size, showBytes(reading.bytes.length), ...describeOther(mediaType, head)];
}

/** Reports that the bytes have another type than the message states. */
function describeOther(mediaType: string | undefined, head: PictureHead | undefined): readonly string[] {
  const named = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  if (!head || named === undefined || named === head.mediaType) return [];
  return [`Its bytes are ${head.mediaType}`];
}

/** A file name for saving: the medium's own without folders and with an extension, or else one made from its kind. */
export function fileNameOf({ kind, mediaType, name }: MediumContent): string {
  const ending = MEDIA_ENDINGS.get(mediaType ?? ANY_MEDIA) ?? 'bin';
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const stem = trimOf(last.replace(/[^\p{L}\p{N}._ -]+/gu, '-'), '. -');
  if (stem === '') return `${kind}.${ending}`;
  return /\.[a-z0-9]{1,8}$/i.test(stem) ? stem : `${stem}.${ending}`;
}

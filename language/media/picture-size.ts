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

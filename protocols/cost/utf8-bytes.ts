/**
 * Puts the UTF-8 bytes of a text into `bytes`, which has room for three times as many as the text has characters, and
 * answers how many there are. A lone surrogate is U+FFFD, as it is on the wire. Short texts take less time than with the
 * encoder of the host.
 */
export function putUtf8(text: string, bytes: Uint8Array): number {
  let to = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[to++] = unit;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xffff) at++;
    to = putPoint(point >= 0xd800 && point <= 0xdfff ? 0xfffd : point, bytes, to);
  }
  return to;
}

/** Puts the bytes of a code point that is not ASCII, and answers where they end. */
function putPoint(point: number, bytes: Uint8Array, start: number): number {
  let to = start;
  if (point < 0x800) bytes[to++] = 0xc0 | (point >> 6);
  else {
    if (point < 0x10000) bytes[to++] = 0xe0 | (point >> 12);
    else {
      bytes[to++] = 0xf0 | (point >> 18);
      bytes[to++] = 0x80 | ((point >> 12) & 0x3f);
    }
    bytes[to++] = 0x80 | ((point >> 6) & 0x3f);
  }
  bytes[to++] = 0x80 | (point & 0x3f);
  return to;
}

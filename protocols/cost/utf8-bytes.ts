/**
 * Writes the UTF-8 bytes of a text to `bytes`, which must have space for three bytes for each UTF-16 code
 * unit; returns their number. A lone surrogate becomes U+FFFD, as on the wire. For short texts this is faster
 * than the host's encoder.
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

/** Writes the bytes of a code point that is not ASCII; returns the end. */
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

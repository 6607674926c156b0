/**
 * The UTF-8 bytes of a text as a text of as many characters, one a byte: a key of a map, which an array of bytes is not.
 * A lone surrogate is U+FFFD, as it is on the wire. A text of ASCII is itself.
 */
export function toByteText(text: string): string {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) < 0x80) at++;
  if (at === text.length) return text;
  const parts: string[] = [text.slice(0, at)];
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    parts.push(bytesOf(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code));
  }
  return parts.join('');
}

function bytesOf(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  const last = 0x80 | (code & 0x3f);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), last);
  const third = 0x80 | ((code >> 6) & 0x3f);
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12), third, last);
  return String.fromCharCode(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), third, last);
}

/** Characters that a text cannot contain literally. */
const SPECIAL = /[\]\r\ud800-\udfff]|\\u00/;
/** Texts of up to this many characters are examined one by one, which is faster than a regular expression. */
const FEW = 48;
const RETURN = 13;
const BACKSLASH = 92;
const CLOSE = 93;
const FIRST_SURROGATE = 0xd800;

/** True for a text that AICL contains as it is, without escapes. */
export function isPlainText(text: string): boolean {
  if (text.length > FEW) return !SPECIAL.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSE || code === RETURN || code === BACKSLASH || code >= FIRST_SURROGATE)
      return !SPECIAL.test(text);
  }
  return true;
}

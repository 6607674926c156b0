/**
 * A key that is equal for different spellings of a URI: escaped or not, with an upper-case or lower-case
 * drive letter.
 */
export function fileKey(uri: string): string {
  const key = uri.replace(/^file:\/\/\/([a-z])(?=:|%3a)/i, start => start.toLowerCase());
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

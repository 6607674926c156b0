/** Two spellings of one URI, escaped or not, with one letter of the drive or the other, have the same key. */
export function fileKey(uri: string): string {
  const key = uri.replace(/^file:\/\/\/([a-z])(?=:|%3a)/i, start => start.toLowerCase());
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

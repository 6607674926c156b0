/** Decodes percent-encoding and `+` as a space; returns the text unchanged if it is not valid. */
export function decodeUrl(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

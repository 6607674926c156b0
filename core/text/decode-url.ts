/** A percent-encoded text, or the text itself where it is not one. */
export function decodeUrl(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

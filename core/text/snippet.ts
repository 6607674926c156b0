/** Escapes text for a snippet, in which `$`, `}` and `\` are special. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** A tab stop with a default text; without it if the text has characters that clients handle differently. */
export function snippetStop(index: number, text: string): string {
  return /[\\$}|,\r\n]/.test(text) || text === '' ? `$${index}` : `\${${index}:${text}}`;
}

/** A text as it stands in a snippet, where `$`, `}` and `\` mean something of their own. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** A stop with a text that is typed over; an empty one where the text holds what clients disagree on. */
export function snippetStop(index: number, text: string): string {
  return /[\\$}|,\r\n]/.test(text) || text === '' ? `$${index}` : `\${${index}:${text}}`;
}

/** Escapes untrusted text for Markdown so that it is shown literally, without links, images or HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, mark =>
    mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`,
  );
}

/** A text as inline code, or escaped if it contains backquotes or line breaks or is empty. */
export function inlineCode(text: string): string {
  return /^[^`\r\n]+$/.test(text) ? `\`${text}\`` : escapeMarkdown(text);
}

/** A fenced code block whose fence is longer than any run of backquotes in the code. */
export function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(run => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Escapes text for a snippet, in which `$`, `}` and `\` are special. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** A tab stop with a default text; without it if the text has characters that clients handle differently. */
export function snippetStop(index: number, text: string): string {
  return /[\\$}|,\r\n]/.test(text) || text === '' ? `$${index}` : `\${${index}:${text}}`;
}

/** Text from outside as Markdown that shows it literally: no link, no image, no HTML comes of it. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, mark =>
    mark === '<' ? '&lt;' : mark === '&' ? '&amp;' : `\\${mark}`,
  );
}

/** A text as inline code; as literal text where it has characters that end such code. */
export function inlineCode(text: string): string {
  return /^[^`\r\n]+$/.test(text) ? `\`${text}\`` : escapeMarkdown(text);
}

/** A fenced block whose fence is longer than any run of backquotes inside. */
export function fenceCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(run => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

import { MarkupKind, type MarkupContent } from 'vscode-languageserver';

/** Markdown for a client, which may show plain text only. One that names no formats is taken to know Markdown. */
export function toMarkup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  return formats && formats.length > 0 && !formats.includes(MarkupKind.Markdown)
    ? { kind: MarkupKind.PlainText, value: plainOfMarkdown(markdown) }
    : { kind: MarkupKind.Markdown, value: markdown };
}

/** What a reader of our Markdown sees, without its marks. What stands in a fence stays as it is. */
export function plainOfMarkdown(markdown: string): string {
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && line === fence) fence = undefined;
    else lines.push(fence === undefined ? plainOfLine(line) : line);
  }
  return lines.join('\n');
}

function plainOfLine(line: string): string {
  return line
    .replace(/\*\*|(?<!\\)`/g, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~])/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&');
}

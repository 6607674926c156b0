import { MarkupKind, type MarkupContent } from 'vscode-languageserver';
import type { HoverPicture } from '../../language/support.ts';
import { encodeBase64 } from '../../core/text/base64.ts';
import { escapeMarkdown } from '../../core/text/markup.ts';

/** Converts Markdown for a client, which may support plain text only. */
export function toMarkup(markdown: string, formats: readonly MarkupKind[] | undefined): MarkupContent {
  return showsMarkdown(formats)
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainOfMarkdown(markdown) };
}

/** True for a client that supports Markdown, which is assumed if it names no formats. */
export function showsMarkdown(formats: readonly MarkupKind[] | undefined): boolean {
  return !formats || formats.length === 0 || formats.includes(MarkupKind.Markdown);
}

/** A picture as self-contained Markdown, so that the editor loads nothing from elsewhere. */
export function imageMarkdown({ png, alt }: HoverPicture): string {
  return pictureMarkdown(alt, `data:image/png;base64,${encodeBase64(png)}`);
}

/** A picture in Markdown by its data URL, with an alternative text. */
export function pictureMarkdown(alt: string, dataUrl: string): string {
  return `![${escapeMarkdown(alt)}](${dataUrl})`;
}

/** Removes Markdown syntax from our own Markdown, except inside code fences. */
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

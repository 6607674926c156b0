import { MarkdownString, type CompletionItem, type LanguageStatusItem, type StatusBarItem } from 'vscode';
import { escapeLabel, escapePrompt } from './escape.ts';

/** Sets the text of a status bar item, shown literally behind an icon of our own. */
export function setStatusText(item: StatusBarItem, text: string, icon?: string): void {
  item.text = icon === undefined ? escapeLabel(text) : `$(${icon}) ${escapeLabel(text)}`;
}

/** Sets what a language status says, shown literally. */
export function setLanguageStatus(item: LanguageStatusItem, text: string, detail: string): void {
  item.text = escapeLabel(text);
  item.detail = escapePrompt(detail);
}

/** The title of a code lens shown literally, but for an icon of our own at its beginning. */
export function escapeLensTitle(title: string): string {
  const [icon = ''] = /^\$\([a-z-]+\)\u00a0/.exec(title) ?? [];
  return `${icon}${escapeLabel(title.slice(icon.length))}`;
}

/** Has a proposal of a completion show its label literally; what it inserts and is found by stays. */
export function escapeProposal(item: CompletionItem): void {
  const { label } = item;
  const text = typeof label === 'string' ? label : label.label;
  const shown = escapeLabel(text);
  if (shown === text) return;
  item.insertText ??= text;
  item.filterText ??= text;
  item.sortText ??= text;
  item.label = typeof label === 'string' ? shown : { ...label, label: shown };
}

/** A tooltip that shows a text literally, and below it perhaps a block of code. */
export function buildTooltip(
  text: string,
  code?: { readonly text: string; readonly language: string },
): MarkdownString {
  const tooltip = new MarkdownString();
  if (text !== '') tooltip.appendText(text);
  if (code) tooltip.appendCodeblock(code.text, code.language);
  return tooltip;
}

import { MarkdownString, type CompletionItem, type LanguageStatusItem, type StatusBarItem } from 'vscode';
import { escapeLabel, escapePrompt } from './escape.ts';

/** Sets the literal text of a status bar item, behind an icon. */
export function setStatusText(item: StatusBarItem, text: string, icon?: string): void {
  item.text = icon === undefined ? escapeLabel(text) : `$(${icon}) ${escapeLabel(text)}`;
}

/** Sets the literal texts of a language status item. */
export function setLanguageStatus(item: LanguageStatusItem, text: string, detail: string): void {
  item.text = escapeLabel(text);
  item.detail = escapePrompt(detail);
}

/** Escapes the title of a code lens, except for a leading icon of this extension. */
export function escapeLensTitle(title: string): string {
  const [icon = ''] = /^\$\([a-z-]+\)\u00a0/.exec(title) ?? [];
  return `${icon}${escapeLabel(title.slice(icon.length))}`;
}

/** Makes a completion item show its label literally, without changing what it inserts and matches. */
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

/** Builds a tooltip with a literal text, optionally followed by a block of code. */
export function buildTooltip(
  text: string,
  code?: { readonly text: string; readonly language: string },
): MarkdownString {
  const tooltip = new MarkdownString();
  if (text !== '') tooltip.appendText(text);
  if (code) tooltip.appendCodeblock(code.text, code.language);
  return tooltip;
}

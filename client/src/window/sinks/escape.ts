import { showControls } from '../../../../core/text/quote.ts';

/**
 * A word joiner: it has no width, and prevents links and icons from being parsed. These places have no
 * invisible escape of their own.
 */
const BREAK = '\u2060';

/** The middle of `[text](scheme:target)`, which VS Code parses as a link in notifications, prompts and progress. */
const LINK = /\](?=\([a-z][a-z\d+.-]*:)/gi;

/** The beginning of `$(name)` or `$(name~spin)`, which VS Code draws as an icon in labels. */
const ICON = /\$(?=\([\w-]+(?:~[\w-]+)?\))/g;

/** Escapes a text for a notification: without links, and with control characters made visible. */
export function escapeNotification(text: string): string {
  return breakLinks(showControls(text));
}

/**
 * Escapes a text for a label (status bar, pick lists, code lenses): without icons, and with control
 * characters made visible.
 */
export function escapeLabel(text: string): string {
  return breakIcons(showControls(text));
}

/** Escapes a text for a prompt, a validation message or a progress display: without links and icons. */
export function escapePrompt(text: string): string {
  return breakIcons(breakLinks(showControls(text)));
}

function breakLinks(text: string): string {
  return text.replace(LINK, `]${BREAK}`);
}

function breakIcons(text: string): string {
  return text.replace(ICON, `$$${BREAK}`);
}

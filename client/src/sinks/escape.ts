import { showControls } from '../../../core/text/quote.ts';

/**
 * A word joiner: it has no width, so that the text reads as it is, and no link or icon is parsed across it. Neither place has
 * an escape of its own that is not shown.
 */
const BREAK = '\u2060';

/** The middle of `[text](scheme:target)`, which VS Code parses as a link in notifications, prompts and progress. */
const LINK = /\](?=\([a-z][a-z\d+.-]*:)/gi;

/** The beginning of `$(name)` or `$(name~spin)`, which VS Code draws as an icon in labels. */
const ICON = /\$(?=\([\w-]+(?:~[\w-]+)?\))/g;

/** A text as a notification shows it literally: without links, and with control characters made visible. */
export function escapeNotification(text: string): string {
  return breakLinks(showControls(text));
}

/**
 * A text as a label shows it literally: without icons, and with control characters made visible. Labels are those of the status
 * bar, of lists to pick from and of code lenses.
 */
export function escapeLabel(text: string): string {
  return breakIcons(showControls(text));
}

/** A text as a prompt, a validation message or a progress shows it literally: without links and icons. */
export function escapePrompt(text: string): string {
  return breakIcons(breakLinks(showControls(text)));
}

function breakLinks(text: string): string {
  return text.replace(LINK, `]${BREAK}`);
}

function breakIcons(text: string): string {
  return text.replace(ICON, `$$${BREAK}`);
}

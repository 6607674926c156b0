import type { TextEdit } from '../core/text/edit.ts';

/** How an editor indents. */
export interface FormatOptions {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Indentation where nobody says otherwise. */
export const DEFAULT_FORMAT: FormatOptions = { tabSize: 2, insertSpaces: true };

/** Wider indents than this are no indents: a deep message would grow by megabytes. */
const WIDEST_TAB = 16;

/** What one step of indentation is written as, and how many columns it takes. */
export interface Indent {
  readonly text: string;
  readonly width: number;
}

/** The indent that an editor asks for; what is no width of an indent is replaced by the default. */
export function indentOf({ tabSize, insertSpaces }: FormatOptions): Indent {
  const isWidth = Number.isSafeInteger(tabSize) && tabSize >= 1 && tabSize <= WIDEST_TAB;
  const width = isWidth ? tabSize : DEFAULT_FORMAT.tabSize;
  return { text: insertSpaces ? ' '.repeat(width) : '\t', width };
}

/** Deeper levels are not indented further: the text would grow with its length times its depth. */
const DEEPEST_INDENT = 20;

/** The indentation of a level, from 0. */
export function indentAt({ text }: Pick<Indent, 'text'>, level: number): string {
  return text.repeat(Math.max(0, Math.min(level, DEEPEST_INDENT)));
}

/** Another way to write the same thing, offered where a user asks for one. */
export interface Rewrite {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

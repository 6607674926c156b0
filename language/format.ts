import type { TextEdit } from '../core/text/edit.ts';

/** The indentation settings of an editor. */
export interface FormatOptions {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Default indentation. */
export const DEFAULT_FORMAT: FormatOptions = { tabSize: 2, insertSpaces: true };

/** Maximum width of an indent. A wider one would make a deeply nested message grow by megabytes. */
const WIDEST_TAB = 16;

/** One level of indentation: its text and its width in columns. */
export interface Indent {
  readonly text: string;
  readonly width: number;
}

/** Converts the editor's options to an indent; an invalid width is replaced by the default. */
export function indentOf({ tabSize, insertSpaces }: FormatOptions): Indent {
  const isWidth = Number.isSafeInteger(tabSize) && tabSize >= 1 && tabSize <= WIDEST_TAB;
  const width = isWidth ? tabSize : DEFAULT_FORMAT.tabSize;
  return { text: insertSpaces ? ' '.repeat(width) : '\t', width };
}

/** Maximum number of indented levels. Without it the text would grow with its length times its depth. */
const DEEPEST_INDENT = 20;

/** The indentation of a level; levels count from 0. */
export function indentAt({ text }: Pick<Indent, 'text'>, level: number): string {
  return text.repeat(Math.max(0, Math.min(level, DEEPEST_INDENT)));
}

/** An equivalent way to write a piece of text, proposed on request. */
export interface Rewrite {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

import type { Span } from './span.ts';

/** One replacement in a text. An empty span inserts, an empty text deletes. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/**
 * Applies edits that do not overlap; their spans all refer to the text as given.
 * Edits that share an insertion point are applied in the order given.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.map((edit, index) => ({ edit, index }));
  ordered.sort((a, b) => a.edit.span.start - b.edit.span.start || a.index - b.index);
  let result = '';
  let at = 0;
  for (const { edit } of ordered) {
    if (edit.span.start < at) throw new Error(`applyEdits: edits overlap at offset ${edit.span.start}`);
    result += text.slice(at, edit.span.start) + edit.newText;
    at = edit.span.end;
  }
  return result + text.slice(at);
}

import type { TextEdit } from '../../core/text/edit.ts';

/** An edit as the fuzz test writes it: where, as a share of the text, how much goes out, what comes in. */
export interface FuzzEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** The edit of a text. */
export function placeEdit(text: string, { at, remove, insert }: FuzzEdit): TextEdit {
  const start = at % (text.length + 1);
  return { span: { start, end: Math.min(text.length, start + remove) }, newText: insert };
}

import { startOf } from '../../core/text/utf8.ts';

/** Cuts a text between characters and appends how much is left out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = startOf(text, most);
  return `${start}${describeCut(text.length - start.length)}`;
}

/** The words after a cut text, with the number of omitted characters. */
export function describeCut(characters: number): string {
  return ` … (${characters === 1 ? '1 more character is' : `${characters} more characters are`} left out)`;
}

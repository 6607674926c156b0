import { startOf } from '../../core/text/utf8.ts';

/** The beginning of a text with what is left out; never half a character. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = startOf(text, most);
  return `${start}${sayCut(text.length - start.length)}`;
}

/** What stands behind a text of which so many characters are not there. */
export function sayCut(characters: number): string {
  return ` … (${characters === 1 ? '1 more character is' : `${characters} more characters are`} left out)`;
}

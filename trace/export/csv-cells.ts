import { showControls } from '../../core/text/quote.ts';

/**
 * Prints a row of CSV (RFC 4180). A text, or a line of it, that a spreadsheet could take for a formula gets
 * an apostrophe in front: a program that expects other separators reads a line as a row. Control characters
 * are made visible.
 */
export function printRow(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(printCell).join(',')}\r\n`;
}

function printCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const shown = showControls(value);
  const lines = shown.replace(/\n(?=[^\S\n]*[=+\-@＝＋－＠])/g, "\n'");
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(lines) ? `'${lines}` : lines;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

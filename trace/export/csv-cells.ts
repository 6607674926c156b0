import { showControls } from '../../core/text/quote.ts';

/**
 * A row of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe, and so does a line of it:
 * a program that expects other separators takes that for a row of its own. Control characters are made visible.
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

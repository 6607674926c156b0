/** A row of CSV (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function printRow(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(printCell).join(',')}\r\n`;
}

function printCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

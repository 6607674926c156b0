import { ERROR_MEANINGS, type ErrorMeaningRow } from './error-meanings.ts';

const ROWS: readonly ErrorMeaningRow[] = ERROR_MEANINGS;

/** The table columns: a title for users, and the code that the protocols use for a meaning. */
const COLUMNS: readonly { readonly title: string; readonly write: (row: ErrorMeaningRow) => string }[] = [
  { title: 'AICL', write: row => String(row.aicl) },
  { title: 'AICF', write: row => String(row.written.aicf) },
  { title: 'AIO, MCP, A2A', write: row => row.written.jsonRpc },
  { title: 'AIP JSON-RPC', write: row => row.written.aip },
  { title: 'HTTP', write: row => String(row.written.http) },
];

/** The codes of the other protocols for an AICL code, as a Markdown table; undefined for a code without a row. */
export function describeAiclMeaning(code: number): string | undefined {
  return table(ROWS.filter(row => row.aicl === code));
}

/** The same for an AICF code, which may have several meanings. */
export function describeAicfMeanings(code: number): string | undefined {
  return table(ROWS.filter(row => row.written.aicf === code));
}

/**
 * The meanings of a code that only other protocols use, such as -33007 of JSON-RPC; undefined if the code has
 * none.
 */
export function describeOtherCode(code: string): string | undefined {
  const number = Number(code);
  const rows = ROWS.filter(({ reads, numbers }) =>
    [...reads.jsonRpc, ...reads.aip, ...reads.http, ...Object.values(numbers)].includes(number),
  );
  const meanings = table(rows);
  return meanings && `**${code} ${rows.map(({ title }) => title).join(', or ')}**\n\n${meanings}`;
}

function table(rows: readonly ErrorMeaningRow[]): string | undefined {
  if (rows.length === 0) return undefined;
  const lines = [
    ['meaning', ...COLUMNS.map(column => column.title)],
    ['---', ...COLUMNS.map(() => '---')],
    ...rows.map(row => [row.title, ...COLUMNS.map(column => column.write(row))]),
  ];
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

import { ERROR_MEANINGS, type ErrorMeaningRow } from './error-meanings.ts';

const ROWS: readonly ErrorMeaningRow[] = ERROR_MEANINGS;

/** The columns as people know them, and what each protocol writes for a meaning. */
const COLUMNS: readonly { readonly title: string; readonly write: (row: ErrorMeaningRow) => string }[] = [
  { title: 'AICL', write: row => String(row.aicl) },
  { title: 'AICF', write: row => String(row.written.aicf) },
  { title: 'AIO, MCP, A2A', write: row => row.written.jsonRpc },
  { title: 'AIP twin', write: row => row.written.aip },
  { title: 'HTTP', write: row => String(row.written.http) },
];

/** What an AICL code becomes in the other protocols, as a table in Markdown; undefined for a code without a row. */
export function describeAiclMeaning(code: number): string | undefined {
  return table(ROWS.filter(row => row.aicl === code));
}

/** The same for a code of AICF, which may stand for several meanings. */
export function describeAicfMeanings(code: number): string | undefined {
  return table(ROWS.filter(row => row.written.aicf === code));
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

import { findAiclError } from '../../core/catalog/aicl.ts';
import {
  ERROR_MEANINGS,
  NOT_FOUND_CODES,
  type ErrorColumn,
  type ErrorMeaning,
  type ErrorMeaningRow,
} from '../../core/catalog/error-meanings.ts';

const ROWS: readonly (ErrorMeaningRow & { readonly name: ErrorMeaning })[] = ERROR_MEANINGS;

/**
 * Whose column a protocol's codes stand in. Agent API and Responses have codes of their own, which are words, and borrow
 * the statuses of HTTP for what comes from elsewhere. `aip` is what both endpoints of AIP say by `success:false`.
 */
const COLUMNS: ReadonlyMap<string, ErrorColumn> = new Map([
  ['aicl', 'aicl'],
  ['aicf', 'aicf'],
  ['json-rpc', 'aip'],
  ['aip', 'aip'],
  ['aio', 'jsonRpc'],
  ['mcp', 'jsonRpc'],
  ['a2a', 'jsonRpc'],
  ['agent-api', 'http'],
  ['responses', 'http'],
]);

/**
 * What a code of a protocol means; undefined for one without a row. Numbers of LightAICL's range are its first one but
 * for those with a row of their own. What the error says counts where a code alone could mean several things.
 */
export function findMeaning(protocol: string, code: string | undefined, text = ''): ErrorMeaning | undefined {
  const column = COLUMNS.get(protocol);
  if (code === undefined || !column || !/^-?\d{1,9}$/.test(code)) return undefined;
  const number = Number(code);
  if (isMissingTool(protocol, column, number, text)) return 'no-such-tool';
  if (NOT_FOUND_CODES[column].method.includes(number)) return 'malformed';
  if (column !== 'aicl') return ROWS.find(row => readsOf(row, column).includes(number))?.name;
  const found = ROWS.find(row => row.aicl === number);
  return (found ?? ROWS.find(row => row.aicl === findAiclError(number)?.code))?.name;
}

const NOT_FOUND = /not found|unknown tool|no such tool/i;

/** True for a text that says of a tool that there is none: what MCP tells apart by nothing else. */
export function saysNotFound(text: string): boolean {
  return NOT_FOUND.test(text);
}

function isMissingTool(protocol: string, column: ErrorColumn, code: number, text: string): boolean {
  const { any, method } = NOT_FOUND_CODES[column];
  // The methods of an AIO agent are its tools.
  if (method.includes(code)) return protocol === 'aio' || /\btools?\b/i.test(text);
  return any.includes(code) && NOT_FOUND.test(text);
}

function readsOf(row: ErrorMeaningRow, column: Exclude<ErrorColumn, 'aicl'>): readonly number[] {
  if (column === 'aicf') return row.aicf === undefined ? [] : [row.aicf];
  return row.reads[column];
}

/** The code that a protocol has for a meaning. */
export function findCode(protocol: string, meaning: ErrorMeaning): number | undefined {
  const row = ROWS.find(({ name }) => name === meaning);
  switch (row && COLUMNS.get(protocol)) {
    case 'aicl':
      return row?.aicl;
    case 'aicf':
      return row?.written.aicf;
    case 'aip':
      return row?.numbers.aip;
    case 'jsonRpc':
      return (protocol === 'mcp' ? row?.numbers.mcp : undefined) ?? row?.numbers.jsonRpc;
    case 'http':
      return row?.written.http;
    default:
      return undefined;
  }
}

/** The words for a meaning. */
export function meaningTitle(meaning: ErrorMeaning): string {
  return ROWS.find(row => row.name === meaning)?.title ?? meaning;
}

import { findAiclError } from '../../core/catalog/aicl.ts';
import {
  ERROR_MEANINGS,
  NOT_FOUND_CODES,
  type ErrorColumn,
  type ErrorFacts,
  type ErrorMeaning,
  type ErrorMeaningRow,
} from '../../core/catalog/error-meanings.ts';

const ROWS: readonly (ErrorMeaningRow & { readonly name: ErrorMeaning })[] = ERROR_MEANINGS;

/**
 * The meaning of a code, by the facts of its protocol; undefined for one without a row. Other codes in a range of
 * LightAICL mean the same as the range's first code. The error's text decides where a code is ambiguous.
 */
export function findMeaning(
  facts: ErrorFacts | undefined,
  code: string | undefined,
  text = '',
): ErrorMeaning | undefined {
  if (code === undefined || !facts || !/^-?\d{1,9}$/.test(code)) return undefined;
  const { column } = facts;
  const number = Number(code);
  if (isMissingTool(facts, number, text)) return 'no-such-tool';
  const { method, otherwise = 'malformed' } = NOT_FOUND_CODES[column];
  if (method.includes(number)) return otherwise;
  if (column !== 'aicl') return ROWS.find(row => readsOf(row, column).includes(number))?.name;
  const found = ROWS.find(row => row.aicl === number);
  return (found ?? ROWS.find(row => row.aicl === findAiclError(number)?.code))?.name;
}

const NOT_FOUND = /not found|unknown tool|no such tool/i;

/** True for a text that reports a missing tool, which in MCP only the text identifies. */
export function isNotFoundText(text: string): boolean {
  return NOT_FOUND.test(text);
}

function isMissingTool({ column, hasToolMethods }: ErrorFacts, code: number, text: string): boolean {
  const { any, method } = NOT_FOUND_CODES[column];
  if (method.includes(code)) return hasToolMethods === true || /\btools?\b/i.test(text);
  return any.includes(code) && NOT_FOUND.test(text);
}

function readsOf(row: ErrorMeaningRow, column: Exclude<ErrorColumn, 'aicl'>): readonly number[] {
  if (column === 'aicf') return row.aicf === undefined ? [] : [row.aicf];
  return row.reads[column];
}

/** The code of a protocol for a meaning. */
export function findCode({ column, own }: ErrorFacts, meaning: ErrorMeaning): number | undefined {
  const row = ROWS.find(({ name }) => name === meaning);
  switch (column) {
    case 'aicl':
      return row?.aicl;
    case 'aicf':
    case 'http':
      return row?.written[column];
    case 'aip':
    case 'jsonRpc':
      return (own && row?.numbers[own]) ?? row?.numbers[column];
  }
}

/** The title of a meaning. */
export function meaningTitle(meaning: ErrorMeaning): string {
  return ROWS.find(row => row.name === meaning)?.title ?? meaning;
}

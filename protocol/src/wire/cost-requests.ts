import { CONVERSIONS } from '../catalog/conversions.ts';
import { findCostLayout } from '../catalog/cost-layouts.ts';
import { findEncoding, type EncodingName } from '../catalog/encodings.ts';
import type { CostRow, CostTable } from '../cost/cost-table.ts';
import type { LinePosition } from '../text/line-index.ts';
import { isConvertSource, isWireRange, type ConvertSource, type WireRange } from './conversion-requests.ts';
import { hasShape, isRecord } from './guard.ts';

/** Client to server, a request: what messages cost in every protocol. The answer is a `CostResult`. */
export const COST = 'parley/cost';

/**
 * Client to server, a request: what the message under a cursor costs. The answer is a `TokensResult`; null where no
 * message stands, and where tokens cannot be counted, which the log tells.
 */
export const TOKENS = 'parley/tokens';

/**
 * Client to server, a request: how many tokens texts are, each by itself. The answer is as many numbers as texts; null where
 * tokens cannot be counted, which the log tells.
 */
export const COUNT_TEXTS = 'parley/countTexts';

/** Server to client, a request of a server that reads no files: the script of an encoding, as a text. */
export const ENCODING_SCRIPT = 'parley/encodingScript';

/**
 * The command behind a token lens; its arguments are the document's URI and the message's position or the range of
 * several messages.
 */
export const COMPARE_COST_COMMAND = 'parley.compareCost';

export interface CostParams {
  readonly source: ConvertSource;
  readonly encoding: EncodingName;
}

/** The table, or a sentence for the user that says why there is none. */
export type CostResult =
  { readonly ok: true; readonly table: CostTable } | { readonly ok: false; readonly reason: string };

export interface TokensParams {
  readonly uri: string;
  readonly position: LinePosition;
  readonly encoding: EncodingName;
}

/** What one message costs as it is written. */
export interface TokensResult {
  readonly version: number;
  readonly range: WireRange;
  readonly title: string;
  readonly tokens: number;
  /** False for an estimate, which is shown with a `≈`. */
  readonly isExact: boolean;
  /** In UTF-8. */
  readonly bytes: number;
}

export interface CountTextsParams {
  readonly texts: readonly string[];
  readonly encoding: EncodingName;
}

export interface EncodingScriptParams {
  readonly encoding: EncodingName;
}

export function isCostParams(value: unknown): value is CostParams {
  return isRecord(value) && isConvertSource(value['source']) && isEncoding(value['encoding']);
}

export function isCostResult(value: unknown): value is CostResult {
  if (!isRecord(value)) return false;
  return value['ok'] === true
    ? isTable(value['table'])
    : hasShape(value, { ok: 'boolean', reason: 'string' });
}

function isTable(value: unknown): value is CostTable {
  return (
    hasShape(value, { messages: 'number', unread: 'number' }) &&
    (value['tooLong'] === undefined || typeof value['tooLong'] === 'number') &&
    isEncoding(value['encoding']) &&
    Array.isArray(value['rows']) &&
    value['rows'].every(isRow)
  );
}

const PROTOCOLS: readonly unknown[] = [...CONVERSIONS.map(({ name }) => name), undefined];

function isRow(value: unknown): value is CostRow {
  return (
    hasShape(value, {
      bytes: 'number',
      byteRatio: 'number',
      tokens: 'number',
      tokenRatio: 'number',
      isExact: 'boolean',
      losses: 'number',
    }) &&
    findCostLayout(value['layout']) !== undefined &&
    PROTOCOLS.includes(value['protocol']) &&
    [value['parseMs'], value['parseRatio']].every(time => time === undefined || typeof time === 'number')
  );
}

export function isTokensParams(value: unknown): value is TokensParams {
  return (
    hasShape(value, { uri: 'string', position: 'object' }) &&
    hasShape(value['position'], { line: 'number', character: 'number' }) &&
    isEncoding(value['encoding'])
  );
}

export function isTokensResult(value: unknown): value is TokensResult {
  return (
    hasShape(value, {
      version: 'number',
      title: 'string',
      tokens: 'number',
      isExact: 'boolean',
      bytes: 'number',
    }) && isWireRange(value['range'])
  );
}

export function isCountTextsParams(value: unknown): value is CountTextsParams {
  return (
    isRecord(value) &&
    isEncoding(value['encoding']) &&
    Array.isArray(value['texts']) &&
    value['texts'].every(text => typeof text === 'string')
  );
}

/** Guards the answer about so many texts. */
export function isTextCounts(value: unknown, texts: number): value is readonly number[] {
  return Array.isArray(value) && value.length === texts && value.every(count => typeof count === 'number');
}

export function isEncodingScriptParams(value: unknown): value is EncodingScriptParams {
  return isRecord(value) && isEncoding(value['encoding']);
}

function isEncoding(value: unknown): value is EncodingName {
  return findEncoding(value) !== undefined;
}

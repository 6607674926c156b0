import { CONVERSIONS } from '../core/catalog/conversions.ts';
import { findCostLayout, findEncoding, type EncodingName } from '../core/catalog/costs.ts';
import type { CostRow, CostTable } from '../protocols/cost/cost-table.ts';
import type { LinePosition } from '../core/text/source-text.ts';
import { isConvertSource, type ConvertSource } from './conversion-requests.ts';
import {
  isBoolean,
  isListOf,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isShape,
  isString,
  type Guard,
} from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the cost of messages in every protocol. The result is a `CostResult`. */
export const COST = 'parley/cost';

/**
 * Client to server, a request: the cost of the message at a cursor. The result is a `TokensResult`, or null
 * if there is no message, or if tokens cannot be counted, which is then logged.
 */
export const TOKENS = 'parley/tokens';

/**
 * Client to server, a request: the token count of each of several texts. The result has one number for each
 * text, or is null if tokens cannot be counted, which is then logged.
 */
export const COUNT_TEXTS = 'parley/countTexts';

/** Server to client, from a server without file access: requests the script of an encoding as text. */
export const ENCODING_SCRIPT = 'parley/encodingScript';

/**
 * The command of token lenses. Its arguments are the document's URI
 * and the position of the message or the range of several messages.
 */
export const COMPARE_COST_COMMAND = 'parley.compareCost';

export interface CostParams {
  readonly source: ConvertSource;
  readonly encoding: EncodingName;
}

/** The table, or a sentence for the user that explains why there is none. */
export type CostResult =
  | { readonly ok: true; readonly table: CostTable }
  | { readonly ok: false; readonly reason: string };

export interface TokensParams {
  readonly uri: string;
  readonly position: LinePosition;
  readonly encoding: EncodingName;
}

/** The cost of one message as it is written. */
export interface TokensResult {
  readonly version: number;
  readonly range: WireRange;
  readonly title: string;
  readonly tokens: number;
  /** False for an estimate, which is shown with a `≈`. */
  readonly isExact: boolean;
  /** The size in UTF-8 bytes. */
  readonly bytes: number;
}

export interface CountTextsParams {
  readonly texts: readonly string[];
  readonly encoding: EncodingName;
}

export interface EncodingScriptParams {
  readonly encoding: EncodingName;
}

const isEncoding: Guard<EncodingName> = (value): value is EncodingName => findEncoding(value) !== undefined;

export const isCostParams = isShape<CostParams>({ source: isConvertSource, encoding: isEncoding });

const isTable = isShape<CostTable>({
  messages: isNumber,
  unread: isNumber,
  tooLong: isOptional(isNumber),
  untimed: isOptional(isNumber),
  encoding: isEncoding,
  rows: isListOf(
    isShape<CostRow>({
      layout: (value): value is CostRow['layout'] => findCostLayout(value) !== undefined,
      protocol: isOptional(isOneOf(CONVERSIONS.map(({ name }) => name))),
      bytes: isNumber,
      byteRatio: isNumber,
      tokens: isNumber,
      tokenRatio: isNumber,
      isExact: isBoolean,
      losses: isNumber,
      parseMs: isOptional(isNumber),
      parseRatio: isOptional(isNumber),
    }),
  ),
});

const isRefusal = isShape<{ ok: false; reason: string }>({ ok: isOneOf([false] as const), reason: isString });

export function isCostResult(value: unknown): value is CostResult {
  return isRefusal(value) || (isRecord(value) && value['ok'] === true && isTable(value['table']));
}

export const isTokensParams = isShape<TokensParams>({
  uri: isString,
  position: isLinePosition,
  encoding: isEncoding,
});

export const isTokensResult = isShape<TokensResult>({
  version: isNumber,
  range: isWireRange,
  title: isString,
  tokens: isNumber,
  isExact: isBoolean,
  bytes: isNumber,
});

export const isCountTextsParams = isShape<CountTextsParams>({
  texts: isListOf(isString),
  encoding: isEncoding,
});

const isNumbers = isListOf(isNumber);

/** True for a result with this number of counts. */
export function isTextCounts(value: unknown, texts: number): value is readonly number[] {
  return isNumbers(value) && value.length === texts;
}

export const isEncodingScriptParams = isShape<EncodingScriptParams>({ encoding: isEncoding });

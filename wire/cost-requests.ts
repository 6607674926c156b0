import { findEncoding, type EncodingName } from '../core/catalog/costs.ts';
import type { CostTable } from '../protocols/cost/cost-table.ts';
import { isConvertSource, type ConvertSource } from './conversion-requests.ts';
import { isListOf, isShape, isString, type Guard } from '../core/guard.ts';
import { isLinePosition, type WireRange } from './places.ts';
import type { DocumentPlace, WireRequest } from './request.ts';

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

export interface TokensParams extends DocumentPlace {
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

interface CountTextsParams {
  readonly texts: readonly string[];
  readonly encoding: EncodingName;
}

const isEncoding: Guard<EncodingName> = (value): value is EncodingName => findEncoding(value) !== undefined;

/** The cost of messages in every protocol. */
export const COST: WireRequest<CostParams, CostResult> = {
  method: 'parley/cost',
  isParams: isShape<CostParams>({ source: isConvertSource, encoding: isEncoding }),
};

/** The cost of the message at a cursor; null if there is none, or if tokens cannot be counted, which is then logged. */
export const TOKENS: WireRequest<TokensParams, TokensResult | null> = {
  method: 'parley/tokens',
  isParams: isShape<TokensParams>({ uri: isString, position: isLinePosition, encoding: isEncoding }),
};

/** The token count of each of several texts; null if tokens cannot be counted, which is then logged. */
export const COUNT_TEXTS: WireRequest<CountTextsParams, readonly number[] | null> = {
  method: 'parley/countTexts',
  isParams: isShape<CountTextsParams>({ texts: isListOf(isString), encoding: isEncoding }),
};

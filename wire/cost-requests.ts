import { findEncoding, type EncodingName } from '../core/catalog/costs.ts';
import type { CostTable } from '../protocols/cost/cost-table.ts';
import { isConvertSource } from './conversion-requests.ts';
import { isListOf, isShape, isString, type Guard, type Guarded } from '../core/guard.ts';
import { isLinePosition, type WireRange } from './places.ts';
import type { WireRequest } from './request.ts';

/** Server to client, from a server without file access: requests the script of an encoding as text. */
export const ENCODING_SCRIPT = 'parley/encodingScript';

/**
 * The command of token lenses. Its arguments are the document's URI
 * and the position of the message or the range of several messages.
 */
export const COMPARE_COST_COMMAND = 'parley.compareCost';

/** The table, or a sentence for the user that explains why there is none. */
export type CostResult =
  | { readonly ok: true; readonly table: CostTable }
  | { readonly ok: false; readonly reason: string };

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

const isEncoding: Guard<EncodingName> = (value): value is EncodingName => findEncoding(value) !== undefined;

const isCostParams = isShape({ source: isConvertSource, encoding: isEncoding });
const isTokensParams = isShape({ uri: isString, position: isLinePosition, encoding: isEncoding });
const isCountTextsParams = isShape({ texts: isListOf(isString), encoding: isEncoding });

export type CostParams = Guarded<typeof isCostParams>;
export type TokensParams = Guarded<typeof isTokensParams>;

/** The cost of messages in every protocol. */
export const COST: WireRequest<CostParams, CostResult> = { method: 'parley/cost', isParams: isCostParams };

/** The cost of the message at a cursor; null if there is none, or if tokens cannot be counted, which is then logged. */
export const TOKENS: WireRequest<TokensParams, TokensResult | null> = {
  method: 'parley/tokens',
  isParams: isTokensParams,
};

/** The token count of each of several texts; null if tokens cannot be counted, which is then logged. */
export const COUNT_TEXTS: WireRequest<Guarded<typeof isCountTextsParams>, readonly number[] | null> = {
  method: 'parley/countTexts',
  isParams: isCountTextsParams,
};

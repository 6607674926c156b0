import { findConversion, type ConversionName } from '../core/catalog/conversions.ts';
import { isListOf, isNumber, isOneOf, isOptional, isShape, isString, type Guard } from '../core/guard.ts';
import { isWireRange, type WireRange } from './places.ts';

/**
 * Client to server, a request: messages in another protocol. The answer is a `ConvertResult`; null for a document that
 * the server does not have open, and for a range that touches no message.
 */
export const CONVERT = 'parley/convert';

/**
 * Client to server, a request: what a place of a kept conversion's source became in its result, or the other way round.
 * The answer is a range; null where nothing is known of it, and once the document was edited or closed.
 */
export const CONVERTED_AT = 'parley/convertedAt';

/**
 * What is converted: an open document, the messages of it that a range touches, or a text from elsewhere. The container
 * lines directly above a message count to it when a range touches them, and are not converted.
 */
export interface ConvertSource {
  readonly uri?: string;
  readonly range?: WireRange;
  readonly text?: string;
  readonly from?: ConversionName;
}

const LAYOUTS = ['pretty', 'compact', 'fitting'] as const;

export interface ConvertParams {
  readonly source: ConvertSource;
  readonly to: ConversionName;
  /** `fitting` is pretty for one message, and for several compact, a line each. */
  readonly layout: (typeof LAYOUTS)[number];
  /**
   * A name under which the places of this conversion are kept for `CONVERTED_AT`; a new conversion of that name replaces
   * it. The last eight are kept.
   */
  readonly keepAs?: string;
}

export interface ConvertResult {
  /** The version of the document that was read; 0 for a text from elsewhere. */
  readonly version: number;
  readonly text: string;
  /** The protocol of each message in order. */
  readonly from: readonly ConversionName[];
  /** What of the document was converted: whole messages. */
  readonly source: WireRange;
  readonly findings: readonly ConversionFinding[];
  /** How many losses there are beside these. */
  readonly untold: number;
}

const FINDING_KINDS = ['dropped', 'rounded', 'moved', 'guessed', 'note'] as const;

/** A loss or a note, at the place of the result where it shows. */
export interface ConversionFinding {
  readonly kind: (typeof FINDING_KINDS)[number];
  /** Where in the source it stands: `[2].params.limit`; empty for a note. */
  readonly path: string;
  readonly message: string;
  readonly range: WireRange;
  /** Where the source says it, if that is known. */
  readonly source?: WireRange;
}

export interface ConvertedAtParams {
  readonly keptAs: string;
  /** The side that the range lies in; the answer lies in the other. */
  readonly side: 'source' | 'result';
  readonly range: WireRange;
}

const isConversion: Guard<ConversionName> = (value): value is ConversionName =>
  findConversion(value) !== undefined;

const hasSource = isShape<ConvertSource>({
  uri: isOptional(isString),
  range: isOptional(isWireRange),
  text: isOptional(isString),
  from: isOptional(isConversion),
});

/** True for a document or a text, and for a range of a document only. */
export function isConvertSource(value: unknown): value is ConvertSource {
  if (!hasSource(value)) return false;
  const { uri, range, text } = value;
  return (uri === undefined) !== (text === undefined) && (range === undefined || uri !== undefined);
}

export const isConvertParams = isShape<ConvertParams>({
  source: isConvertSource,
  to: isConversion,
  layout: isOneOf(LAYOUTS),
  keepAs: isOptional(isString),
});

export const isConvertResult = isShape<ConvertResult>({
  version: isNumber,
  text: isString,
  from: isListOf(isConversion),
  source: isWireRange,
  findings: isListOf(
    isShape<ConversionFinding>({
      kind: isOneOf(FINDING_KINDS),
      path: isString,
      message: isString,
      range: isWireRange,
      source: isOptional(isWireRange),
    }),
  ),
  untold: isNumber,
});

export const isConvertedAtParams = isShape<ConvertedAtParams>({
  keptAs: isString,
  side: isOneOf(['source', 'result'] as const),
  range: isWireRange,
});

/**
 * The command behind a Convert lens and action; its arguments are the document's URI, the message's position or the range
 * of several messages and, where it is known, the name of the protocol to convert to.
 */
export const CONVERT_COMMAND = 'parley.convert';

import { findConversion, type ConversionName } from '../core/catalog/conversions.ts';
import { isOneOf, isOptional, isShape, isString, type Guard, type Guarded } from '../core/guard.ts';
import { isWireRange, type WireRange } from './places.ts';
import type { WireRequest } from './request.ts';

/** Messages in another protocol, with what could not be carried. */
export interface ConvertResult {
  /** The version of the document that was converted; 0 for a text from elsewhere. */
  readonly version: number;
  readonly text: string;
  /** The protocol of each message in order. */
  readonly from: readonly string[];
  /** The range of the document that was converted, in whole messages. */
  readonly source: WireRange;
  readonly findings: readonly ConversionFinding[];
  /** The number of losses that `findings` does not list. */
  readonly unlisted: number;
}

/** A loss or a note, with the range in the result that it affects. */
export interface ConversionFinding {
  readonly kind: 'dropped' | 'rounded' | 'moved' | 'guessed' | 'note';
  /** The path in the source, `[2].params.limit`; empty for a note. */
  readonly path: string;
  readonly message: string;
  readonly range: WireRange;
  /** The range in the source, if it is known. */
  readonly source?: WireRange;
}

const isConversion: Guard<ConversionName> = (value): value is ConversionName =>
  findConversion(value) !== undefined;

const hasSource = isShape({
  uri: isOptional(isString),
  range: isOptional(isWireRange),
  text: isOptional(isString),
  from: isOptional<string>(isConversion),
});

/**
 * What to convert: an open document, its messages that a range touches, or a text from elsewhere. Container
 * lines directly above a message belong to it when a range touches them, but are not converted.
 */
export type ConvertSource = Guarded<typeof hasSource>;

/** True for either a document or a text; only a document may have a range. */
export function isConvertSource(value: unknown): value is ConvertSource {
  if (!hasSource(value)) return false;
  const { uri, range, text } = value;
  return (uri === undefined) !== (text === undefined) && (range === undefined || uri !== undefined);
}

const isConvertParams = isShape({
  source: isConvertSource,
  to: isConversion,
  /** `fitting` is pretty for one message, and compact with one line each for several. */
  layout: isOneOf(['pretty', 'compact', 'fitting'] as const),
  /**
   * A name under which the positions of this conversion are stored for `CONVERTED_AT`. A new conversion with
   * the same name replaces it, and only the last eight are stored.
   */
  keepAs: isOptional(isString),
});

export type ConvertParams = Guarded<typeof isConvertParams>;

/**
 * Converts messages to another protocol; null if the document is not open on the server or the range touches
 * no message.
 */
export const CONVERT: WireRequest<ConvertParams, ConvertResult | null> = {
  method: 'parley/convert',
  isParams: isConvertParams,
};

const isConvertedAtParams = isShape({
  keptAs: isString,
  /** The side of `range`; the result is a range on the other side. */
  side: isOneOf(['source', 'result'] as const),
  range: isWireRange,
});

export type ConvertedAtParams = Guarded<typeof isConvertedAtParams>;

/**
 * Maps a range between the source and the result of a stored conversion; null if it is unknown or the document
 * was edited or closed.
 */
export const CONVERTED_AT: WireRequest<ConvertedAtParams, WireRange | null> = {
  method: 'parley/convertedAt',
  isParams: isConvertedAtParams,
};

/**
 * The command of Convert lenses and actions. Its arguments are the document's URI, the position of the
 * message or the range of several messages and, if known, the name of the target protocol.
 */
export const CONVERT_COMMAND = 'parley.convert';

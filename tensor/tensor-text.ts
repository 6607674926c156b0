import type { Characters } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';

/** The three parts of a tensor's text as offsets. */
export interface TensorParts {
  readonly dtype: Span;
  readonly shape: Span;
  readonly payload: Span;
}

/** Splits `text[start, end)` at the first two colons; undefined if there are fewer near its start. */
export function splitTensor(text: Characters, start: number, end: number): TensorParts | undefined {
  const head = text.slice(start, Math.min(end, start + MAX_HEAD_LENGTH));
  const first = head.indexOf(':') + start;
  const second = head.indexOf(':', first - start + 1) + start;
  if (first < start || second < start) return undefined;
  return {
    dtype: { start, end: first },
    shape: { start: first + 1, end: second },
    payload: { start: second + 1, end },
  };
}

/** The maximum length of a shape in characters; array libraries allow at most 64 dimensions. */
const MAX_SHAPE_LENGTH = 10_000;
/** The maximum length of data type and shape, so that megabytes of data are not searched for a colon. */
const MAX_HEAD_LENGTH = 2 * MAX_SHAPE_LENGTH;

export type ParsedShape =
  | { readonly kind: 'ok'; readonly dimensions: readonly bigint[] }
  | { readonly kind: 'malformed' }
  | ({ readonly kind: 'too-large' } & Span);

/**
 * Parses a shape (reading of LightAICL 3.3): decimal dimensions separated by commas, leading zeros allowed, empty for a
 * single value. A dimension above 2^53-1 is reported with its offsets, even if another dimension is 0.
 */
export function parseShape(source: string): ParsedShape {
  if (source === '') return { kind: 'ok', dimensions: [] };
  if (source.length > MAX_SHAPE_LENGTH) return { kind: 'malformed' };
  const dimensions: bigint[] = [];
  let start = 0;
  for (const part of source.split(',')) {
    if (!/^[0-9]+$/.test(part)) return { kind: 'malformed' };
    const dimension = BigInt(part);
    if (dimension > BigInt(Number.MAX_SAFE_INTEGER))
      return { kind: 'too-large', start, end: start + part.length };
    dimensions.push(dimension);
    start += part.length + 1;
  }
  return { kind: 'ok', dimensions };
}

/** The exact number of bytes of a shape's elements. */
export function countBytes(dimensions: readonly bigint[], bytesPerElement: number): bigint {
  if (dimensions.includes(0n)) return 0n;
  return dimensions.reduce((product, dimension) => product * dimension, BigInt(bytesPerElement));
}

/** A quoted shape without its quotation marks, as in the table of the whitepaper; undefined for any other text. */
export function unquoteShape(source: string): string | undefined {
  return /^(["'])(.*)\1$/s.exec(source)?.[2];
}

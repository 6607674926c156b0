import type { Characters } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';

/** The three parts of a tensor's content, as offsets in the text. */
export interface TensorParts {
  readonly dtype: Span;
  readonly shape: Span;
  readonly payload: Span;
}

/** Splits `text[start, end)` at its first two colons; undefined where its head has fewer. */
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

/** Characters of a shape: array libraries stop at 64 dimensions, and a longer text than this is none. */
const MAX_SHAPE_LENGTH = 10_000;
/** No data type and shape are longer: data of megabytes is not searched for a colon. */
const MAX_HEAD_LENGTH = 2 * MAX_SHAPE_LENGTH;

export type ParsedShape =
  | { readonly kind: 'ok'; readonly dimensions: readonly bigint[] }
  | { readonly kind: 'malformed' }
  | ({ readonly kind: 'too-large' } & Span);

/**
 * Reads a shape (reading of LightAICL 3.3): decimal dimensions with commas, leading zeros allowed, empty for a single
 * value. A dimension above 2^53-1 is named by its offsets, also beside a zero.
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

/** The bytes that a shape's elements take, exact however large. */
export function countBytes(dimensions: readonly bigint[], bytesPerElement: number): bigint {
  if (dimensions.includes(0n)) return 0n;
  return dimensions.reduce((product, dimension) => product * dimension, BigInt(bytesPerElement));
}

/** A shape that stands in quotation marks, without them, as the whitepaper's table shows it; undefined for any other. */
export function unquoteShape(source: string): string | undefined {
  return /^(["'])(.*)\1$/s.exec(source)?.[2];
}

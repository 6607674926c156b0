import { findDtype } from '../core/catalog/dtypes.ts';
import { encodeBase85 } from './base85.ts';
import { Payload } from './payload.ts';
import type { Tensor } from './tensor.ts';
import { countBytes, parseShape, splitTensor, unquoteShape } from './tensor-text.ts';

/**
 * Parses `dtype:shape:payload`, the text between `[t:` and `]` (reading of LightAICL 3.3); undefined for an
 * invalid tensor and for omitted data. Nothing is allocated before the payload is known to have the length
 * that data type and shape require. The rules report what is wrong.
 */
export function readTensor(content: string): Tensor | undefined {
  const parts = splitTensor(content, 0, content.length);
  const dtype = parts && findDtype(content.slice(parts.dtype.start, parts.dtype.end));
  if (!dtype) return undefined;
  const source = content.slice(parts.shape.start, parts.shape.end);
  const shape = parseShape(unquoteShape(source) ?? source);
  if (shape.kind !== 'ok') return undefined;
  const wanted = countBytes(shape.dimensions, dtype.bytes);
  // A payload is at least as long as its bytes, so most mismatches are refused without reading it.
  if (wanted > BigInt(parts.payload.end - parts.payload.start)) return undefined;
  const payload = Payload.of(content, parts.payload);
  if (payload?.byteLength !== Number(wanted)) return undefined;
  const bytes = payload.read(0, payload.byteLength);
  return { dtype: dtype.name, shape: shape.dimensions.map(Number), bytes };
}

/** A tensor as a message value with its payload on one line. */
export function printTensor({ dtype, shape, bytes }: Tensor): string {
  return `[t:${dtype}:${shape.join(',')}:${encodeBase85(bytes)}]`;
}

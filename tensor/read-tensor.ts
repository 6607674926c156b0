import { findDtype } from '../core/catalog/dtypes.ts';
import { encodeBase85 } from './base85.ts';
import { Payload } from './payload.ts';
import type { Tensor } from './tensor.ts';
import { countBytes, parseShape, splitTensor, unquoteShape } from './tensor-text.ts';

/**
 * Reads `dtype:shape:payload`, what stands between `[t:` and `]` (reading of LightAICL 3.3); undefined for a text that
 * is no sound tensor, and for one whose data are left out. Nothing is allocated before the payload is known to have
 * the length that data type and shape want; what is wrong is said by the rules.
 */
export function readTensor(content: string): Tensor | undefined {
  const parts = splitTensor(content, 0, content.length);
  const dtype = parts && findDtype(content.slice(parts.dtype.start, parts.dtype.end));
  if (!dtype) return undefined;
  const source = content.slice(parts.shape.start, parts.shape.end);
  const shape = parseShape(unquoteShape(source) ?? source);
  if (shape.kind !== 'ok') return undefined;
  const wanted = countBytes(shape.dimensions, dtype.bytes);
  // A payload is never shorter than its bytes: most that cannot fit are refused without a look at them.
  if (wanted > BigInt(parts.payload.end - parts.payload.start)) return undefined;
  const payload = Payload.of(content, parts.payload);
  if (payload?.byteLength !== Number(wanted)) return undefined;
  const bytes = payload.read(0, payload.byteLength);
  return { dtype: dtype.name, shape: shape.dimensions.map(Number), bytes };
}

/** A tensor as a value of a message, its payload on one line. */
export function printTensor({ dtype, shape, bytes }: Tensor): string {
  return `[t:${dtype}:${shape.join(',')}:${encodeBase85(bytes)}]`;
}

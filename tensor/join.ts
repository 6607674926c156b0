import { encodeBase85 } from './base85.ts';
import { readTensor } from './read-tensor.ts';

/**
 * Joins tensors, each as `dtype:shape:payload`, along their first axis; undefined if one is invalid or has no axis, or
 * if data types or other axes differ. Linear.
 */
export function joinTensors(sources: readonly string[]): string | undefined {
  const tensors = sources.map(readTensor);
  const [first] = tensors;
  if (!first || first.shape.length === 0) return undefined;
  const others = first.shape.slice(1).join(',');
  const pieces: Uint8Array[] = [];
  let length = 0;
  let size = 0;
  for (const tensor of tensors) {
    if (tensor?.dtype !== first.dtype || tensor.shape.slice(1).join(',') !== others) return undefined;
    pieces.push(tensor.bytes);
    length += tensor.shape[0] ?? 0;
    size += tensor.bytes.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return `${first.dtype}:${[length, ...first.shape.slice(1)].join(',')}:${encodeBase85(bytes)}`;
}

import { readTensor } from '../tensor/read-tensor.ts';

/** True for two tensors, as `dtype:shape:payload`, of one type and shape with the same bytes; of unsound ones for the same text. */
export function isSameTensor(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [readTensor(one), readTensor(other)];
  if (a?.dtype !== b?.dtype || a?.shape.join() !== b?.shape.join() || !a || !b) return false;
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, index) => byte === b.bytes[index]);
}

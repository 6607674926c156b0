import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readElement, type Element } from '../../../tensor/elements.ts';
import { numbersOf } from '../../../tensor/numbers.ts';
import { elementSize } from '../../../tensor/tensor.ts';
import { anyTensor, DTYPE_NAMES, tensorOf } from './support/tensors.ts';

function toNumber(element: Element): number {
  return typeof element === 'object' ? Math.hypot(element.re, element.im) : Number(element);
}

describe('elements as numbers, in runs', () => {
  for (const dtype of DTYPE_NAMES) {
    it(`${dtype}: any run at any place of a buffer is the elements one by one`, () => {
      fc.assert(
        fc.property(anyTensor(dtype), fc.nat(9), fc.nat(20), fc.nat(20), (tensor, offset, one, other) => {
          // Bytes of a message begin anywhere in their buffer.
          const buffer = new Uint8Array(tensor.bytes.length + offset);
          buffer.set(tensor.bytes, offset);
          const source = numbersOf({ ...tensor, bytes: buffer.subarray(offset) });
          const length = tensor.bytes.length / elementSize(dtype);
          const [from, to] = [Math.min(one, other, length), Math.min(Math.max(one, other), length)];
          const into = new Float64Array(21).fill(-7);
          source.read(from, to, into);
          const wanted = new Float64Array(21).fill(-7);
          for (let index = from; index < to; index++)
            wanted[index - from] = toNumber(readElement(tensor, index));
          assert.deepEqual(
            { dtype: source.dtype, length: source.length, into },
            { dtype, length, into: wanted },
          );
        }),
      );
    });
  }

  it('a 64-bit integer is the nearest double, a complex number its magnitude', () => {
    const read = (hex: string, dtype: 'int64' | 'uint64' | 'complex64'): number => {
      const into = new Float64Array(1);
      numbersOf(tensorOf(dtype, [1], hex)).read(0, 1, into);
      return into[0] ?? Number.NaN;
    };
    assert.deepEqual(
      [
        read('0100000000002000', 'int64'),
        read('0300000000002000', 'int64'),
        read('ffffffffffffffff', 'uint64'),
        read('0000404000008040', 'complex64'),
      ],
      [2 ** 53, 2 ** 53 + 4, 2 ** 64, 5],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changeTensor, isChange } from '../../../client/src/features/tensors/change-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';

const INTS: Tensor = {
  dtype: 'int16',
  shape: [2, 3],
  bytes: Uint8Array.of(1, 0, 2, 0, 44, 1, 4, 0, 5, 0, 6, 0),
};

describe('a change of a tensor', () => {
  it('sets one value and leaves the tensor that it was made of', () => {
    const before = INTS.bytes.slice();
    assert.deepEqual(changeTensor(INTS, { type: 'setValue', index: 4, value: '-2' }), {
      kind: 'ok',
      tensor: { ...INTS, bytes: Uint8Array.of(1, 0, 2, 0, 44, 1, 4, 0, 254, 255, 6, 0) },
    });
    assert.deepEqual(INTS.bytes, before);
  });

  it('says what was stored where it is not what was typed', () => {
    const tensor: Tensor = { dtype: 'float16', shape: [1], bytes: new Uint8Array(2) };
    const changed = changeTensor(tensor, { type: 'setValue', index: 0, value: '2049' });
    assert.deepEqual(changed, {
      kind: 'ok',
      tensor: { ...tensor, bytes: Uint8Array.of(0, 0x68) },
      note: '[0] is 2048.0: float16 has nothing nearer to 2049.',
    });
  });

  it('reshapes, casts and slices, and says what is lost', () => {
    const reshaped = changeTensor(INTS, { type: 'reshape', shape: '3, -1' });
    const cast = changeTensor(INTS, { type: 'cast', dtype: 'uint8' });
    const sliced = changeTensor(INTS, { type: 'slice', slice: '1, ::2' });
    assert.deepEqual(
      [reshaped, cast, sliced],
      [
        { kind: 'ok', tensor: { ...INTS, shape: [3, 2] } },
        {
          kind: 'ok',
          tensor: { dtype: 'uint8', shape: [2, 3], bytes: Uint8Array.of(1, 2, 44, 4, 5, 6) },
          loss: '1 of 6 values changes: 1 does not fit uint8.',
        },
        {
          kind: 'ok',
          tensor: { dtype: 'int16', shape: [2], bytes: Uint8Array.of(4, 0, 6, 0) },
          loss: '2 elements of 6 stay, the others are left out.',
        },
      ],
    );
  });

  it('is refused with a sentence', () => {
    const changes = [
      { type: 'setValue', index: 6, value: '1' },
      { type: 'setValue', index: 0, value: '40000' },
      { type: 'reshape', shape: '4' },
      { type: 'cast', dtype: 'int4' },
      { type: 'slice', slice: '5' },
    ] as const;
    assert.deepEqual(
      changes.map(change => changeTensor(INTS, change)),
      [
        { kind: 'fault', problem: 'There is no element 6: the tensor has 6 elements' },
        { kind: 'fault', problem: '40000 does not fit int16: -32768 to 32767' },
        { kind: 'fault', problem: '4 is 4 elements, the tensor has 6' },
        { kind: 'fault', problem: "'int4' is not a data type of a tensor" },
        { kind: 'fault', problem: '5 is outside of axis 0, which has -2 to 1' },
      ],
    );
  });

  it('is distinguished from other things', () => {
    const values = [
      { type: 'setValue', index: 1, value: '2' },
      { type: 'setValue', index: '1', value: '2' },
      { type: 'cast', dtype: 'int8' },
      { type: 'cast' },
      { type: 'reshape', shape: '' },
      { type: 'slice', slice: ':' },
      { type: 'other' },
      undefined,
    ];
    assert.deepEqual(values.map(isChange), [true, false, true, false, true, true, false, false]);
  });
});

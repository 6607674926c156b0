import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseShapeInput, reshapeTensor } from '../../../tensor/reshape.ts';
import { askNumpy } from '../../support/numpy.ts';
import { tensorOf } from './support/tensors.ts';

describe('a shape as a person types it', () => {
  const read: readonly (readonly [string, readonly number[]])[] = [
    ['', []],
    ['()', []],
    ['6', [6]],
    ['(6,)', [6]],
    ['2, 3', [2, 3]],
    ['2,3,', [2, 3]],
    [' [2, -1] ', [2, -1]],
    ['2 3', [2, 3]],
    ['2x3 × 4', [2, 3, 4]],
    ['0, 9007199254740991', [0, 9007199254740991]],
  ];
  for (const [text, shape] of read) {
    it(`'${text}' is [${shape.join(', ')}]`, () => {
      assert.deepEqual(parseShapeInput(text), { kind: 'ok', shape });
    });
  }

  const refused: readonly (readonly [string, string])[] = [
    ['2, -2', `'-2' is not a size: 0 or more, or -1 for what the others leave`],
    ['2,,3', `'' is not a size: 0 or more, or -1 for what the others leave`],
    ['(2, 3', `'(2' is not a size: 0 or more, or -1 for what the others leave`],
    ['1.5', `'1.5' is not a size: 0 or more, or -1 for what the others leave`],
    ['9007199254740992', `'9007199254740992' is too large: sizes go up to 2^53 - 1`],
    ['-1, 2, -1', 'Only one size can be -1'],
  ];
  for (const [text, problem] of refused) {
    it(`'${text}' is none: ${problem}`, () => {
      assert.deepEqual(parseShapeInput(text), { kind: 'fault', problem });
    });
  }
});

describe('reshape', () => {
  const NAMED: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[2, 3], [6]],
    [
      [2, 3],
      [3, -1],
    ],
    [[2, 3], [-1]],
    [[6], [1, 6, 1]],
    [[1], []],
    [[], [1, 1]],
    [[], [-1]],
    [
      [0, 3],
      [5, 0],
    ],
    [
      [0, 3],
      [-1, 3],
    ],
    [
      [0, 3],
      [-1, 0],
    ],
    [
      [2, 3],
      [4, -1],
    ],
    [[2, 3], [5]],
    [[2, 3], []],
    [
      [2, 3],
      [0, -1],
    ],
    [[6], [0]],
  ];

  it('takes and refuses what NumPy does', () => {
    const said = askNumpy(
      'reshape',
      `
def reshape(have, wanted):
    try:
        return list(np.zeros(have, dtype=np.uint8).reshape(wanted).shape)
    except ValueError:
        return None
answer = [reshape(*pair) for pair in ${JSON.stringify(NAMED)}]`,
    );
    const shapes = NAMED.map(([have, wanted]) => {
      const tensor = tensorOf('uint8', have, '00'.repeat(have.reduce((product, size) => product * size, 1)));
      const reshaped = reshapeTensor(tensor, wanted);
      return reshaped.kind === 'ok' ? reshaped.tensor.shape : null;
    });
    assert.deepEqual(shapes, said);
  });

  it('keeps the elements in their order', () => {
    const tensor = tensorOf('int16', [2, 3], '010002000300040005000600');
    assert.deepEqual(reshapeTensor(tensor, [3, -1]), {
      kind: 'ok',
      tensor: tensorOf('int16', [3, 2], '010002000300040005000600'),
    });
  });

  it('says why not', () => {
    const tensor = tensorOf('uint8', [2, 3], '010203040506');
    const problemOf = (shape: readonly number[]): unknown => {
      const reshaped = reshapeTensor(tensor, shape);
      return reshaped.kind === 'fault' && reshaped.problem;
    };
    assert.deepEqual([[5, 1000], [], [4, -1], [0, -1]].map(problemOf), [
      '5×1000 is 5,000 elements, the tensor has 6',
      'A single value is 1 element, the tensor has 6',
      '6 elements cannot be divided by 4, which the other sizes make',
      '6 elements cannot be divided by 0, which the other sizes make',
    ]);
  });
});

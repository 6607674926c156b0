import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseSlice, sliceTensor } from '../../../tensor/slice.ts';
import { countElements, placeOf, type Tensor } from '../../../tensor/tensor.ts';
import { askNumpy, runNumpy } from '../../support/numpy.ts';
import { hexOf, tensorOf } from './support/tensors.ts';

const SHAPE = [4, 5, 6] as const;

/** Elements that are their own indexes, as NumPy's `arange`. */
function arange(shape: readonly number[]): Tensor {
  const values = Int16Array.from({ length: countElements(shape) }, (_, index) => index);
  return { dtype: 'int16', shape, bytes: new Uint8Array(values.buffer) };
}

/** The shape and the elements of a slice; null where there is none. */
function take(shape: readonly number[], text: string): { shape: readonly number[]; hex: string } | null {
  const parsed = parseSlice(text, shape);
  if (parsed.kind === 'fault') return null;
  const sliced = sliceTensor(arange(shape), parsed.ranges);
  return sliced.kind === 'ok' ? { shape: sliced.tensor.shape, hex: hexOf(sliced.tensor.bytes) } : null;
}

const PROGRAM = `
def take(shape, text):
    values = np.arange(int(np.prod(shape)), dtype='<i2').reshape(shape)
    try:
        part = eval(f'values[{text}]')
    except IndexError:
        return None
    return {'shape': list(part.shape), 'hex': part.tobytes().hex()}
`;

const TEXTS = [
  ':',
  '0:2, :, 3',
  '-1',
  '1, 2, 3',
  '..., -2',
  '1, ...',
  '..., 1:3, ::2, 0',
  '::3, 1:-1, ::4',
  '1:3, 4:2',
  '10:20',
  '-100:100, 2:',
  ' 1 : 3 : 2 ,  :-2',
  ':, :, 5:0:1',
  '2:, ::5, 1::9',
  '4',
  '-5',
  '0, 0, 0, 0',
];

describe('a slice', () => {
  it('is what NumPy takes', () => {
    const said = askNumpy(
      'slice',
      `${PROGRAM}\nanswer = [take(${JSON.stringify(SHAPE)}, text) for text in ${JSON.stringify(TEXTS)}]`,
    );
    assert.deepEqual(
      TEXTS.map(text => take(SHAPE, text)),
      said,
    );
  });

  it('of any shape is what its places say, and what NumPy takes where it is there', () => {
    const cases: { shape: number[]; text: string; taken: unknown }[] = [];
    const axis = fc.tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: -6, max: 6 }),
      fc.integer({ min: -6, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
    );
    fc.assert(
      fc.property(fc.array(axis, { maxLength: 4 }), fc.boolean(), (axes, isShort) => {
        const shape = axes.map(([size]) => size);
        const parts = axes.map(([, start, end, step]) => `${start}:${end}:${step}`).slice(isShort ? 1 : 0);
        const text = parts.join(',') || '...';
        const taken = take(shape, text);
        const ranges = parseSlice(text, shape);
        assert.ok(taken && ranges.kind === 'ok');
        const all = shape.map((size, at) => ranges.ranges[at] ?? { start: 0, end: size, step: 1 });
        const wanted = Array.from({ length: countElements(shape) }, (_, index) => index).filter(index =>
          placeOf(shape, index).every((at, on) => {
            const { start = 0, end = 0, step = 1 } = all[on] ?? {};
            return at >= start && at < end && (at - start) % step === 0;
          }),
        );
        assert.equal(taken.hex, hexOf(new Uint8Array(Int16Array.from(wanted).buffer)));
        cases.push({ shape, text, taken });
      }),
    );
    const said = runNumpy(
      `${PROGRAM}\nanswer = [{**one, 'taken': take(one['shape'], one['text'])} for one in given]`,
      cases,
    );
    assert.deepEqual(said ?? cases, cases);
  });

  it('reads brackets and an ellipsis of one character', () => {
    assert.deepEqual(parseSlice('[1:, …, -1]', SHAPE), {
      kind: 'ok',
      ranges: [
        { start: 1, end: 4, step: 1 },
        { start: 0, end: 5, step: 1 },
        { start: 5, end: 6, step: 1, isIndex: true },
      ],
    });
    assert.deepEqual(parseSlice('', SHAPE), { kind: 'ok', ranges: [] });
    assert.deepEqual(parseSlice(`0:${'9'.repeat(400)}:${'9'.repeat(400)}`, SHAPE), {
      kind: 'ok',
      ranges: [{ start: 0, end: 4, step: Number.MAX_SAFE_INTEGER }],
    });
  });

  const refused: readonly (readonly [string, readonly number[], string])[] = [
    ['4', SHAPE, '4 is outside of axis 0, which has -4 to 3'],
    [':, -6', SHAPE, '-6 is outside of axis 1, which has -5 to 4'],
    ['0', [0], '0 is outside of axis 0, which is empty'],
    ['a:b', SHAPE, `'a:b' is neither an index such as 3 or -1 nor a range such as 0:10 or ::2`],
    ['1,,2', SHAPE, `'' is neither an index such as 3 or -1 nor a range such as 0:10 or ::2`],
    ['::-1', SHAPE, 'The step of axis 0 is -1: it has to be 1 or more'],
    ['::0', SHAPE, 'The step of axis 0 is 0: it has to be 1 or more'],
    ['..., ...', SHAPE, 'Only one ... can replace the other axes'],
    ['0, 0, 0, 0', SHAPE, '4 indexes or ranges for 3 axes'],
    ['0', [], '1 index or range for a single value, without axes'],
  ];
  for (const [text, shape, problem] of refused) {
    it(`'${text}' of [${shape.join(', ')}] is none: ${problem}`, () => {
      assert.deepEqual(parseSlice(text, shape), { kind: 'fault', problem });
    });
  }

  it('of ranges that do not fit the tensor is refused', () => {
    const tensor = tensorOf('uint8', [3], '010203');
    const problemOf = (start: number, end: number, step: number): unknown => {
      const sliced = sliceTensor(tensor, [{ start, end, step }]);
      return sliced.kind === 'fault' ? sliced.problem : sliced.tensor;
    };
    assert.deepEqual(
      [problemOf(0, 4, 1), problemOf(-1, 2, 1), problemOf(0, 3, 0), problemOf(0, 3, 2), problemOf(2, 1, 1)],
      [
        '0:4:1 is not a part of axis 0, which has 3 elements',
        '-1:2:1 is not a part of axis 0, which has 3 elements',
        '0:3:0 is not a part of axis 0, which has 3 elements',
        tensorOf('uint8', [2], '0103'),
        tensorOf('uint8', [0], ''),
      ],
    );
    assert.deepEqual(sliceTensor(tensorOf('uint8', [], '07'), [{ start: 0, end: 1, step: 1 }]), {
      kind: 'fault',
      problem: '1 index or range for a single value, without axes',
    });
  });
});

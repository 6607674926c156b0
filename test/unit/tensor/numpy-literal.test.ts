import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { castTensor } from '../../../tensor/cast.ts';
import { ELEMENTS, readElement, viewOf, type ElementCodec } from '../../../tensor/elements.ts';
import { numpyLiteral } from '../../../tensor/numpy-literal.ts';
import { countElements, elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { askNumpy, runNumpy } from '../../support/numpy.ts';
import { runs, sized } from '../../support/size.ts';
import { anyTensor, DTYPE_NAMES, hexOf, NUMPY_NAMES, tensorOf } from './support/tensors.ts';

function literalOf(tensor: Tensor): string {
  const literal = numpyLiteral(tensor);
  assert.ok(literal.kind === 'ok');
  return literal.text;
}

/** What Python makes of a literal: the name of the type, the shape and the bytes. */
const EVALUATE = `
def evaluate(text):
    array = eval(text, {'np': np})
    return [array.dtype.name, list(array.shape), array.tobytes().hex()]
`;

/** The same elements, every NaN with the bits that it usually has, and every true as 1. */
function plainOf(tensor: Tensor): Tensor {
  const bytes = new Uint8Array(tensor.bytes.length);
  const codec: ElementCodec = ELEMENTS[tensor.dtype];
  for (let index = 0; index < countElements(tensor.shape); index++)
    codec.write(viewOf({ ...tensor, bytes }), index * elementSize(tensor.dtype), readElement(tensor, index));
  return { ...tensor, bytes };
}

const LITERALS: readonly (readonly [Tensor, string])[] = [
  [tensorOf('float32', [1, 2], '0000803f0000c07f'), 'np.array([[1.0, np.nan]], dtype=np.float32)'],
  [
    tensorOf('float64', [3], '000000000000f07f000000000000f0ff0000000000000080'),
    'np.array([np.inf, -np.inf, -0.0], dtype=np.float64)',
  ],
  [tensorOf('float16', [], 'ff7b'), 'np.array(65500.0, dtype=np.float16)'],
  [tensorOf('bool', [2], '0001'), 'np.array([False, True], dtype=np.bool_)'],
  [
    tensorOf('int8', [2, 2, 2], '00ff027ffc05f907'),
    'np.array([[[0, -1],\n           [2, 127]],\n          [[-4, 5],\n           [-7, 7]]], dtype=np.int8)',
  ],
  [tensorOf('uint64', [1], 'ffffffffffffffff'), 'np.array([18446744073709551615], dtype=np.uint64)'],
  [tensorOf('int64', [1, 1], '0000000000000080'), 'np.array([[-9223372036854775808]], dtype=np.int64)'],
  [
    tensorOf('complex64', [2], '00000080000080ff0000c07fcdcccc3d'),
    'np.array([complex(-0.0, -np.inf), complex(np.nan, 0.1)], dtype=np.complex64)',
  ],
  [tensorOf('int16', [2, 0, 3], ''), 'np.zeros((2, 0, 3,), dtype=np.int16)'],
  [tensorOf('int16', [0], ''), 'np.zeros((0,), dtype=np.int16)'],
];

describe('a literal of NumPy', () => {
  for (const [tensor, text] of LITERALS) {
    it(text.split('\n')[0] ?? '', () => {
      assert.equal(literalOf(tensor), text);
    });
  }

  it('makes the same arrays in Python', () => {
    const said = askNumpy(
      'literal',
      `${EVALUATE}\nanswer = [evaluate(text) for text in ${JSON.stringify(LITERALS.map(([, text]) => text))}]`,
    );
    assert.deepEqual(
      LITERALS.map(([{ dtype, shape, bytes }]) => [dtype, shape, hexOf(bytes)]),
      said,
    );
  });

  it('of any elements makes them bit for bit, but for the bits of a NaN and of a true', () => {
    const cases: [string, string, readonly number[], string][] = [];
    for (const dtype of NUMPY_NAMES)
      fc.assert(
        fc.property(anyTensor(dtype), tensor => {
          const shape = tensor.shape[0] === 6 ? [2, 3] : tensor.shape;
          const text = literalOf({ ...tensor, shape });
          // What the text holds, without Python: the same as of the tensor with plain NaN and true.
          const plain = plainOf({ ...tensor, shape });
          assert.equal(literalOf(plain), text);
          cases.push([text, dtype, shape, hexOf(plain.bytes)]);
        }),
        { numRuns: runs(100) },
      );
    const answers = (runNumpy(
      `${EVALUATE}\nanswer = [[one[0], *evaluate(one[0])] for one in given]`,
      cases,
    ) ?? cases) as typeof cases;
    const wrong = cases.filter((one, index) => JSON.stringify(one) !== JSON.stringify(answers[index]));
    assert.deepEqual(wrong.slice(0, 1), []);
  });

  it('of a type that NumPy lacks is a float32 array, with a comment', () => {
    assert.equal(
      literalOf(tensorOf('bfloat16', [2], '803fcd3d')),
      'np.array([1.0, 0.100097656], dtype=np.float32)  # bfloat16, which NumPy does not have',
    );
    for (const dtype of DTYPE_NAMES.filter(name => !NUMPY_NAMES.includes(name))) {
      const step = elementSize(dtype) === 1 ? 1 : sized(1, 61);
      const all = Array.from({ length: 256 ** elementSize(dtype) }, (_, bits) => bits).filter(
        bits => bits % step === 0,
      );
      const bytes = new Uint8Array(
        elementSize(dtype) === 1 ? Uint8Array.from(all).buffer : Uint16Array.from(all).buffer,
      );
      const tensor = { dtype, shape: [all.length], bytes };
      const wide = castTensor(tensor, 'float32').tensor;
      assert.equal(literalOf(tensor), `${literalOf(wide)}  # ${dtype}, which NumPy does not have`);
    }
  });

  it('of too many elements is refused', () => {
    assert.deepEqual(numpyLiteral({ dtype: 'bool', shape: [1001, 1000], bytes: new Uint8Array(1_001_000) }), {
      kind: 'fault',
      problem:
        'A literal holds at most 1,000,000 elements, the tensor has 1,001,000 elements: take a slice, or export a file',
    });
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { castTensor, describeLoss, type KindLoss } from '../../../tensor/cast.ts';
import {
  ELEMENTS,
  readElement,
  realPart,
  type Element,
  type ElementCodec,
} from '../../../tensor/elements.ts';
import { smallFloatTable } from '../../../tensor/small-floats.ts';
import { elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { askNumpy } from '../../support/numpy.ts';
import { sized } from '../../support/size.ts';
import { DTYPE_NAMES, NUMPY_NAMES, tensorOf } from './support/tensors.ts';

/** A row of elements; what a type does not hold is rounded. */
function rowOf(dtype: DtypeName, elements: readonly Element[]): Tensor {
  const bytes = new Uint8Array(elements.length * elementSize(dtype));
  const codec: ElementCodec = ELEMENTS[dtype];
  elements.forEach((element, index) =>
    codec.write(new DataView(bytes.buffer), index * elementSize(dtype), element),
  );
  return { dtype, shape: [elements.length], bytes };
}

function elementsOf(tensor: Tensor): readonly Element[] {
  return Array.from({ length: tensor.shape[0] ?? 0 }, (_, index) => readElement(tensor, index));
}

/**
 * Values of each type, and a digest of what each cast makes of them, by `FROM>TO`. Left out of a cast is what NumPy leaves
 * to the machine: a float that does not fit an integer.
 */
const CASTS = `
names = ${JSON.stringify(NUMPY_NAMES)}
def kind_of(name): return np.dtype(name if name != 'bool' else '?').kind
def values_of(name):
    dtype = np.dtype(name if name != 'bool' else '?')
    if dtype.kind == 'b': return np.array([0, 1], dtype=dtype)
    if dtype.kind in 'iu':
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        near = [2**k + d for k in (8, 11, 16, 24, 31, 32, 53, 54, 62, 63) for d in (-1, 0, 1)]
        near += [2**53 + 2**29 + 1, 2**62 + 2**38 + 1, 2**63 + 2**39 + 1]
        near += [-n for n in near]
        return np.array([n for n in [low, high, 0, 1, 100] + near if low <= n <= high], dtype=dtype)
    real = [0.0, -0.0, 1.0, 0.5, -1.5, 2.5, 127.9, -128.9, 255.9, 300.0, 65504.0, 65519.99, 65520.0, 1e9, 2.0**31, -2.0**63,
            1 + 2**-11, 1 + 2**-11 + 2**-40, 2.0**-24, 2.0**-25, 2.0**-25 + 2**-60, 1e-8, 1e-46, 3e38, 1e300, np.inf, -np.inf, np.nan]
    if dtype.kind == 'f': return np.array(real).astype(dtype)
    return np.array([complex(a, b) for a, b in zip(real, real[::-1])] + [complex(a, 0.0) for a in real]).astype(dtype)
def fits(values, name):
    dtype = np.dtype(name if name != 'bool' else '?')
    if values.dtype.kind in 'fc' and dtype.kind in 'iu':
        real = values.real.astype('f8')
        info = np.iinfo(dtype)
        return values[np.isfinite(real) & (np.trunc(real) >= float(info.min)) & (np.trunc(real) < float(info.max + 1))]
    return values
answer = {'values': {name: values_of(name).tobytes().hex() for name in names}, 'casts': {}}
for name in names:
    for target in names:
        cast = fits(values_of(name), target).astype(target if target != 'bool' else '?')
        answer['casts'][f'{name}>{target}'] = hashlib.sha256(cast.tobytes()).hexdigest()[:16]
`;

interface Casts {
  readonly values: Readonly<Record<string, string>>;
  readonly casts: Readonly<Record<string, string>>;
}

function isCasts(value: unknown): value is Casts {
  return typeof value === 'object' && value !== null && 'values' in value && 'casts' in value;
}

/** The elements of which NumPy says what they become. */
function fits(tensor: Tensor, dtype: DtypeName): Tensor {
  const range = INTEGER_RANGES[dtype];
  if (!range || !/float|complex/.test(tensor.dtype)) return tensor;
  const stored = elementsOf(tensor).filter(element => {
    const whole = Math.trunc(Number(realPart(element)));
    return whole >= range[0] && whole < range[1];
  });
  return rowOf(tensor.dtype, stored);
}

/** From the first up to before the second. */
const INTEGER_RANGES: Partial<Readonly<Record<DtypeName, readonly [number, number]>>> = Object.fromEntries(
  [8, 16, 32, 64].flatMap(bits => [
    [`int${bits}`, [-(2 ** (bits - 1)), 2 ** (bits - 1)]],
    [`uint${bits}`, [0, 2 ** bits]],
  ]),
);

describe('a cast', () => {
  it('makes the elements that NumPy makes, for each pair of its types', () => {
    const said = askNumpy('cast', CASTS);
    assert.ok(isCasts(said));
    const casts = NUMPY_NAMES.flatMap(from =>
      NUMPY_NAMES.map(to => {
        const hex = said.values[from] ?? '';
        const tensor = tensorOf(from, [hex.length / 2 / elementSize(from)], hex);
        const { bytes } = castTensor(fits(tensor, to), to).tensor;
        return [`${from}>${to}`, createHash('sha256').update(bytes).digest('hex').slice(0, 16)];
      }),
    );
    assert.deepEqual(Object.fromEntries(casts), said.casts);
  });

  it('to the own type keeps the bytes, and the shape stays', () => {
    const tensor = tensorOf('float16', [1, 2], '017e0080');
    assert.deepEqual(castTensor(tensor, 'float16'), {
      tensor,
      loss: { dtype: 'float16', elements: 2, losses: [] },
    });
    assert.deepEqual(castTensor(tensor, 'float32').tensor, tensorOf('float32', [1, 2], '0000c07f00000080'));
  });

  it('between types that NumPy lacks is exact where the other type is wider', () => {
    for (const dtype of ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'] as const) {
      const table = smallFloatTable(dtype);
      const step = table.length > 256 ? sized(1, 61) : 1;
      const values = rowOf(
        dtype,
        [...table].filter((value, bits) => bits % step === 0 && !Number.isNaN(value)),
      );
      for (const wider of ['float32', 'float64', 'complex64', 'complex128'] as const) {
        const cast = castTensor(values, wider);
        assert.deepEqual([castTensor(cast.tensor, dtype).tensor, cast.loss.losses], [values, []]);
      }
    }
  });

  /** From a type, to a type: the elements, what they become, and what is said of it. */
  const LOSSES: readonly (readonly [
    DtypeName,
    readonly Element[],
    DtypeName,
    readonly Element[],
    readonly KindLoss[],
    string,
  ])[] = [
    [
      'float32',
      [1, 2.5, -0.5, 300, -129, 4],
      'int8',
      [1, 2, 0, 44, 127, 4],
      [
        { kind: 'outOfRange', count: 2, first: 3 },
        { kind: 'fractionLost', count: 2, first: 1 },
      ],
      '4 of 6 values change: 2 do not fit int8, 2 lose their fraction',
    ],
    [
      'float64',
      [Number.NaN, Infinity, -Infinity, 2 ** 63, -(2 ** 63), 1e300],
      'int64',
      [0n, 0n, 0n, -(2n ** 63n), -(2n ** 63n), 0n],
      [
        { kind: 'nanLost', count: 1, first: 0 },
        { kind: 'outOfRange', count: 4, first: 1 },
      ],
      '5 of 6 values change: 1 is NaN, which int64 does not have, 4 do not fit int64',
    ],
    [
      'int64',
      [2n ** 53n, 2n ** 53n + 1n, -5n],
      'float64',
      [2 ** 53, 2 ** 53, -5],
      [{ kind: 'rounded', count: 1, first: 1 }],
      '1 of 3 values changes: 1 is rounded',
    ],
    [
      'int64',
      [2n ** 63n - 1n, -1n],
      'uint64',
      [2n ** 63n - 1n, 2n ** 64n - 1n],
      [{ kind: 'outOfRange', count: 1, first: 1 }],
      '1 of 2 values changes: 1 does not fit uint64',
    ],
    [
      'float64',
      [0.1, 1e39, -1e39, Infinity, Number.NaN, -0, 1e-50],
      'float32',
      [Math.fround(0.1), Infinity, -Infinity, Infinity, Number.NaN, -0, 0],
      [
        { kind: 'overflowed', count: 2, first: 1 },
        { kind: 'rounded', count: 2, first: 0 },
      ],
      '4 of 7 values change: 2 become infinite, 2 are rounded',
    ],
    [
      'float32',
      [448, 464, 465, Infinity, Number.NaN],
      'float8_e4m3fn',
      [448, 448, Number.NaN, Number.NaN, Number.NaN],
      [
        { kind: 'overflowed', count: 2, first: 2 },
        { kind: 'rounded', count: 1, first: 1 },
      ],
      '3 of 5 values change: 2 become NaN, 1 is rounded',
    ],
    // From just above the middle between two numbers, which float32 would round to the middle.
    [
      'float64',
      [1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -8 + 2 ** -40],
      'bfloat16',
      [1, 1 + 2 ** -7],
      [{ kind: 'rounded', count: 2, first: 0 }],
      '2 of 2 values change: 2 are rounded',
    ],
    [
      'complex128',
      [
        { re: 1, im: 0 },
        { re: 1.5, im: 2 },
        { re: 0, im: Number.NaN },
        { re: 2.5, im: -0 },
      ],
      'int32',
      [1, 1, 0, 2],
      [
        { kind: 'imaginaryLost', count: 2, first: 1 },
        { kind: 'fractionLost', count: 1, first: 3 },
      ],
      '3 of 4 values change: 2 lose their imaginary part, 1 loses its fraction',
    ],
    [
      'complex128',
      [
        { re: 0.1, im: 1e39 },
        { re: 0.1, im: 1 },
        { re: Number.NaN, im: 1 },
      ],
      'complex64',
      [
        { re: Math.fround(0.1), im: Infinity },
        { re: Math.fround(0.1), im: 1 },
        { re: Number.NaN, im: 1 },
      ],
      [
        { kind: 'overflowed', count: 1, first: 0 },
        { kind: 'rounded', count: 1, first: 1 },
      ],
      '2 of 3 values change: 1 becomes infinite, 1 is rounded',
    ],
    [
      'float32',
      [0, 1, 2, 0.5, Number.NaN, -0],
      'bool',
      [false, true, true, true, true, false],
      [
        { kind: 'nanLost', count: 1, first: 4 },
        { kind: 'outOfRange', count: 2, first: 2 },
      ],
      '3 of 6 values change: 1 is NaN, which bool does not have, 2 do not fit bool',
    ],
    [
      'complex64',
      [
        { re: 0, im: 1 },
        { re: 0, im: 0 },
        { re: 1, im: 0 },
      ],
      'bool',
      [true, false, true],
      [{ kind: 'imaginaryLost', count: 1, first: 0 }],
      '1 of 3 values changes: 1 loses its imaginary part',
    ],
    [
      'uint8',
      [5],
      'bool',
      [true],
      [{ kind: 'outOfRange', count: 1, first: 0 }],
      '1 of 1 value changes: 1 does not fit bool',
    ],
  ];
  for (const [from, elements, to, wanted, losses, sentence] of LOSSES) {
    it(`from ${from} to ${to}: ${sentence}`, () => {
      const { tensor, loss } = castTensor(rowOf(from, elements), to);
      assert.deepEqual(elementsOf(tensor), wanted);
      assert.deepEqual(loss, { dtype: to, elements: elements.length, losses });
      assert.equal(describeLoss(loss), sentence);
    });
  }

  it('that changes nothing says nothing', () => {
    for (const from of DTYPE_NAMES)
      for (const to of DTYPE_NAMES) {
        const { tensor, loss } = castTensor(rowOf(from, [0, 1]), to);
        assert.deepEqual([tensor, loss.losses, describeLoss(loss)], [rowOf(to, [0, 1]), [], undefined]);
      }
  });
});

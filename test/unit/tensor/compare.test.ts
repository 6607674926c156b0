import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { compareSteps, compareTensors, whyIncomparable } from '../../../tensor/compare.ts';
import { differencesOf } from '../../../tensor/differences.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import { askNumpy } from '../../support/numpy.ts';
import { isNear } from './support/reads.ts';
import { anyTensor, DTYPE_NAMES, tensorOf } from './support/tensors.ts';
import { runs } from '../../support/size.ts';

function float64(...values: number[]): Tensor {
  return {
    dtype: 'float64',
    shape: [values.length],
    bytes: new Uint8Array(Float64Array.from(values).buffer),
  };
}

function int64(...values: bigint[]): Tensor {
  return { dtype: 'int64', shape: [values.length], bytes: new Uint8Array(BigInt64Array.from(values).buffer) };
}

function uint64(...values: bigint[]): Tensor {
  return {
    dtype: 'uint64',
    shape: [values.length],
    bytes: new Uint8Array(BigUint64Array.from(values).buffer),
  };
}

function complex128(...parts: number[]): Tensor {
  return { ...float64(...parts), dtype: 'complex128', shape: [parts.length / 2] };
}

function readDifferences(one: Tensor, other: Tensor): readonly number[] {
  const source = differencesOf(one, other);
  const into = new Float64Array(source.length);
  source.read(0, source.length, into);
  return [...into];
}

/** Thirteen digits, because some roundings hang on the processor. */
const PROGRAM = `
def near(value):
    return float('%.13g' % value)

index = np.arange(90)
x = (index * 7919 % 1009) / 1009
y = x + (index * index % 101 - 50) / 5000
y[7] = x[7]
answer = []
for name in ['f2', 'f4', 'f8', 'c8', 'c16', 'i2', 'u1']:
    one, other = ((z * 100).astype(name) if name[0] in 'iu' else z.astype(name) for z in (np.abs(x), np.abs(y)))
    if name[0] == 'c':
        one = one + (1j * other[::-1]).astype(name)
    wide = 'c16' if name[0] == 'c' else 'f8'
    a, b = one.astype(wide), other.astype(wide)
    size = np.abs(a - b)
    share = size[b != 0] / np.abs(b[b != 0])
    answer.append({
        'dtype': str(one.dtype), 'one': one.tobytes().hex(), 'other': other.tobytes().hex(),
        'different': int((one != other).sum()),
        'maxAbsolute': {'value': near(size.max()), 'at': int(size.argmax())},
        'maxRelative': {'value': near(share.max()), 'at': int(np.flatnonzero(b != 0)[share.argmax()])},
        'cosine': near(np.vdot(b, a).real / (np.linalg.norm(a) * np.linalg.norm(b))),
    })
`;

interface Asked {
  readonly dtype: 'float32';
  readonly one: string;
  readonly other: string;
  readonly different: number;
  readonly maxAbsolute: { readonly value: number; readonly at: number };
  readonly maxRelative: { readonly value: number; readonly at: number };
  readonly cosine: number;
}

/** What tells of the first tensors below, when all elements are the same. */
const SAME = {
  different: 0,
  differentAt: undefined,
  differentBits: 0,
  apart: 0,
  apartAt: undefined,
  fromZero: 0,
};

describe('the comparison of two tensors', () => {
  it('measures what NumPy measures', () => {
    const asked = askNumpy('compare', PROGRAM) as readonly Asked[];
    assert.equal(asked.length, 7);
    for (const { dtype, one, other, ...wanted } of asked) {
      const found = compareTensors(tensorOf(dtype, [90], one), tensorOf(dtype, [90], other));
      const { different, maxAbsolute, maxRelative, cosine } = found;
      assert.deepEqual(
        { different, absoluteAt: maxAbsolute?.at, relativeAt: maxRelative?.at },
        { different: wanted.different, absoluteAt: wanted.maxAbsolute.at, relativeAt: wanted.maxRelative.at },
        dtype,
      );
      for (const [got, want] of [
        [maxAbsolute?.value, wanted.maxAbsolute.value],
        [maxRelative?.value, wanted.maxRelative.value],
        [cosine, wanted.cosine],
      ] as const)
        assert.ok(got !== undefined && isNear(got, want), `${dtype}: ${got}, not ${want}`);
    }
  });

  it('tells NaN, infinities and zeros apart from differences', () => {
    const one = float64(Number.NaN, Number.NaN, Infinity, Infinity, 1, 0, 3, -0, -2);
    const other = float64(Number.NaN, 1, Infinity, -Infinity, 0, 0, 4, 0, -2);
    const { cosine, ...found } = compareTensors(one, other);
    assert.deepEqual(found, {
      count: 9,
      different: 4,
      differentAt: 1,
      differentBits: 5,
      bothNan: 1,
      apart: 2,
      apartAt: 1,
      maxAbsolute: { value: 1, at: 4 },
      maxRelative: { value: 0.25, at: 6 },
      fromZero: 1,
    });
    assert.ok(isNear(cosine ?? 0, 16 / (Math.sqrt(14) * Math.sqrt(20))), String(cosine));
    assert.deepEqual(readDifferences(one, other), [Number.NaN, Number.NaN, 0, Infinity, 1, 0, -1, 0, 0]);
  });

  it('of a tensor with itself finds nothing, whatever its bytes are', () => {
    for (const dtype of DTYPE_NAMES)
      fc.assert(
        fc.property(anyTensor(dtype), tensor => {
          const { count, bothNan, maxAbsolute, maxRelative, cosine, ...rest } = compareTensors(
            tensor,
            tensor,
          );
          assert.deepEqual(rest, SAME);
          assert.equal(count, tensor.shape[0]);
          assert.ok(bothNan <= count);
          assert.equal(maxAbsolute?.value ?? 0, 0);
          assert.equal(maxRelative?.value ?? 0, 0);
          assert.ok(cosine === undefined || isNear(cosine, 1), String(cosine));
        }),
        { numRuns: runs(30) },
      );
  });

  it('of 64-bit integers is exact, of one type with the other and with floats', () => {
    const large = 2n ** 62n;
    assert.deepEqual(
      [
        readDifferences(
          int64(large + 1n, -large, 5n, -(2n ** 63n)),
          int64(large, -large - 3n, 7n, 2n ** 63n - 1n),
        ),
        readDifferences(int64(large + 1n, -1n), uint64(large, 2n ** 64n - 1n)),
        readDifferences(uint64(large + 1n, 3n, large), float64(2 ** 62, 2.5, Infinity)),
        readDifferences(float64(2 ** 62, 0.5, Number.NaN), int64(large - 7n, large, large)),
      ],
      [
        [1, 3, -2, -(2 ** 64)],
        [1, -(2 ** 64)],
        [1, 0.5, -Infinity],
        [7, -(2 ** 62), Number.NaN],
      ],
    );
    const { different, maxAbsolute, differentBits } = compareTensors(
      int64(large, large + 1n),
      int64(large, large),
    );
    assert.deepEqual(
      { different, maxAbsolute, differentBits },
      { different: 1, maxAbsolute: { value: 1, at: 1 }, differentBits: 1 },
    );
  });

  it('of complex numbers goes by both parts, also with real ones', () => {
    const one = complex128(3, 4, 1, 1, Number.NaN, Infinity, 2, 0);
    const other = complex128(0, 0, 1, -1, Number.NaN, Infinity, 2, 0);
    assert.deepEqual(readDifferences(one, other), [5, 2, Number.NaN, 0]);
    const { bothNan, apart, different, fromZero } = compareTensors(one, other);
    assert.deepEqual(
      { bothNan, apart, different, fromZero },
      { bothNan: 1, apart: 0, different: 2, fromZero: 1 },
    );
    assert.deepEqual(readDifferences(complex128(3, 4, 1, 0), float64(3, 1)), [4, 0]);
    assert.equal(compareTensors(complex128(3, 4, 1, 0), float64(3, 1)).differentBits, undefined);
  });

  it('has a cosine for the largest and the smallest numbers, and none for zeros', () => {
    const cosines = [
      [float64(1e308, 1e308), float64(1e308, -1e308)],
      [float64(5e-324, 0), float64(5e-324, 5e-324)],
      [float64(1e200, 1), float64(-1e200, 1e-200)],
      [float64(0, 0), float64(1, 2)],
      [float64(), float64()],
    ].map(([one = float64(), other = float64()]) => compareTensors(one, other).cosine);
    assert.deepEqual(
      cosines.map(cosine => cosine && Number(cosine.toPrecision(12))),
      [0, Number(Math.SQRT1_2.toPrecision(12)), -1, undefined, undefined],
    );
  });

  it('of different data types goes by their numbers', () => {
    const bytes: Tensor = { dtype: 'uint8', shape: [3], bytes: Uint8Array.of(1, 2, 3) };
    const { cosine, ...found } = compareTensors(bytes, float64(1, 2, 3.5));
    assert.deepEqual(found, {
      ...SAME,
      bothNan: 0,
      count: 3,
      different: 1,
      differentAt: 2,
      differentBits: undefined,
      maxAbsolute: { value: 0.5, at: 2 },
      maxRelative: { value: 0.5 / 3.5, at: 2 },
    });
    assert.ok(isNear(cosine ?? 0, 15.5 / (Math.sqrt(14) * Math.sqrt(17.25))), String(cosine));
  });

  it('is only of tensors of the same shape; a sentence says so', () => {
    const tensor = float64(1, 2, 3, 4);
    assert.deepEqual(
      [
        whyIncomparable(tensor, { ...tensor, dtype: 'int64' }),
        whyIncomparable(tensor, { ...tensor, shape: [2, 2] }),
        whyIncomparable({ ...tensor, shape: [] }, { ...tensor, shape: [1] }),
      ],
      [
        undefined,
        'The shapes [4] and [2, 2] differ; elements are compared only where both tensors have the same shape.',
        'The shapes [] and [1] differ; elements are compared only where both tensors have the same shape.',
      ],
    );
  });

  it('goes in steps and ends the same', () => {
    const one = float64(...Array.from({ length: 9_000 }, (_, index) => Math.sin(index)));
    const other = float64(...Array.from({ length: 9_000 }, (_, index) => Math.sin(index + 1e-6)));
    const steps = compareSteps(one, other);
    const shares: number[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) shares.push(step.value);
    assert.deepEqual(step.value, compareTensors(one, other));
    assert.deepEqual(
      {
        count: shares.length,
        rises: shares.every((share, at) => share > (shares[at - 1] ?? 0)),
        last: shares.at(-1),
      },
      { count: 6, rises: true, last: 1 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { numbersOf } from '../../../tensor/numbers.ts';
import {
  gatherStatistics,
  StatisticsFold,
  statisticsSteps,
  type Statistics,
} from '../../../tensor/statistics.ts';
import { askNumpy } from '../../support/numpy.ts';
import { countReads, doubles, isNear } from './support/reads.ts';
import { NUMPY_NAMES, tensorOf } from './support/tensors.ts';
import { IS_FULL_SIZE, runs, sized } from '../../support/size.ts';

/** What NumPy says of one array; null for what it has none of. */
interface Asked {
  readonly dtype: DtypeName;
  readonly hex: string;
  readonly statistics: Readonly<Record<keyof Statistics, number | null>>;
}

/** Thirteen digits of what NumPy computes with roundings that hang on the processor; the others are exact. */
const PROGRAM = `
def near(value):
    return float('%.13g' % value)

def describe(values):
    shown = near if values.dtype.kind == 'c' else float
    numbers = np.abs(values.astype('c16')) if values.dtype.kind == 'c' else values
    finite = np.isfinite(numbers)
    kept = numbers[finite].astype('f8')
    where = np.flatnonzero(finite)
    some = len(kept) > 0
    return {
        'count': values.size,
        'looked': values.size,
        'min': shown(kept.min()) if some else None,
        'max': shown(kept.max()) if some else None,
        'minAt': int(where[np.argmin(numbers[finite])]) if some else None,
        'maxAt': int(where[np.argmax(numbers[finite])]) if some else None,
        'mean': near(kept.mean()) if some else None,
        'std': near(kept.std()) if some else None,
        'nan': int(np.isnan(numbers).sum()),
        'positiveInfinity': int(np.isposinf(numbers).sum()),
        'negativeInfinity': int(np.isneginf(numbers).sum()),
        'zeros': int((numbers == 0).sum()),
    }

def ask(values):
    return {'dtype': str(values.dtype), 'hex': values.tobytes().hex(), 'statistics': describe(values)}
`;

const ARRAYS = `
spread = (np.arange(130) * 7919 % 1009 - 500) / 64
answer = []
for name in ${JSON.stringify(NUMPY_NAMES)}:
    kind = np.dtype(name).kind
    values = (spread * 3).astype(name) if kind in 'ifc' else np.abs(spread * 3).astype(name)
    if kind == 'c':
        values = values + (1j * spread[::-1]).astype(name)
    answer.append(ask(values))
    answer.append(ask(values[:1]))
    answer.append(ask(values[:0]))
    if kind in 'fc':
        values = values.copy()
        values[[3, 50, 99]] = np.nan
        values[[0, 120]] = np.inf
        values[7] = -np.inf
        values[8] = -0.0
        answer.append(ask(values))
        answer.append(ask(np.full(3, np.nan, name)))
big = np.array([5, 2**62 + 1, 2**62, 2**62 + 2, -2**62, -2**62 - 1, 2**62 + 2, -2**62 - 1], '<i8')
answer.append(ask(big))
answer.append(ask(np.array([2**63, 2**64 - 1, 2**64 - 2, 2**63 + 1], '<u8')))
`;

/** Exact but for mean and deviation, and for magnitudes of complex numbers: of these, twelve digits hold. */
function assertStatistics(actual: Statistics, { dtype, statistics: wanted }: Asked, hint: string): void {
  const rounded = dtype.startsWith('complex') ? ['mean', 'std', 'min', 'max'] : ['mean', 'std'];
  const entries = (all: object): readonly [string, number | undefined][] =>
    Object.entries(all).map(([key, value]: [string, number | null]) => [key, value ?? undefined]);
  const isExact = ([key]: readonly [string, unknown]): boolean => !rounded.includes(key);
  assert.deepEqual(entries(actual).filter(isExact), entries(wanted).filter(isExact), hint);
  const size = Math.max(Math.abs(wanted.mean ?? 0), wanted.std ?? 0);
  for (const [key, value = Number.NaN] of entries(actual)) {
    const want = Object.entries(wanted).find(([name]) => name === key)?.[1] ?? Number.NaN;
    assert.ok(isNear(value, want, size), `${hint}: ${key} is ${value}, not ${want}`);
  }
}

describe('statistics', () => {
  const asked = askNumpy('statistics', PROGRAM + ARRAYS) as readonly Asked[];

  it('are those of NumPy, for each data type, with NaN and infinities, for one element and none', () => {
    assert.equal(asked.length, NUMPY_NAMES.length * 3 + 5 * 2 + 2);
    for (const [index, array] of asked.entries()) {
      const source = numbersOf(tensorOf(array.dtype, [], array.hex));
      assertStatistics(gatherStatistics(source), array, `array ${index}, ${array.dtype}`);
    }
  });

  it('of many numbers far from 0 keep their digits', () => {
    const values = Array.from(
      { length: sized(100_000, 10_000) },
      (_, index) => 1e9 + ((index * 7919) % 1009) / 1009,
    );
    const found = gatherStatistics(doubles(values));
    // The same numbers without what is common to them: nothing is lost there.
    const small = gatherStatistics(doubles(values.map(value => value - 1e9)));
    assert.ok(isNear(found.mean, 1e9 + small.mean), `mean ${found.mean}`);
    assert.ok(isNear(found.std, small.std), `std ${found.std}, not ${small.std}`);
    const program = 'values = np.array(given)\nanswer = [values.mean(), values.std()]';
    const name = IS_FULL_SIZE ? 'statistics-far' : 'statistics-far-few';
    const numpy = askNumpy(name, program, values) as readonly number[];
    const [mean = 0, std = 0] = numpy;
    assert.ok(
      isNear(found.mean, mean) && isNear(found.std, std),
      `${found.mean} ${found.std}: ${numpy.join()}`,
    );
  });

  it('of huge numbers have a mean, though their sum is none', () => {
    const { mean, min, max } = gatherStatistics(doubles([1e308, 1e308, -1e308, 1.5e308]));
    assert.ok(isNear(mean, 6.25e307), String(mean));
    assert.deepEqual({ min, max }, { min: -1e308, max: 1.5e308 });
  });

  it('of numbers whose squares are beyond all doubles deviate infinitely, as in NumPy', () => {
    const values = [1e303, -2e303, 5e302, 1e200];
    const { std } = gatherStatistics(doubles(values));
    assert.equal(std, Infinity);
    const numpy = askNumpy(
      'statistics-huge',
      "values = np.array(given)\nwith np.errstate(over='ignore'): answer = str(values.std())",
      values,
    );
    assert.equal(numpy, 'inf');
  });

  it('are the same to the last bit, however the numbers are cut into runs', () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -1, max: 1 }), fc.constantFrom(0, -0, Infinity));
    fc.assert(
      fc.property(
        fc.array(number, { maxLength: 3_000, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        (values, lengths) => {
          const fold = new StatisticsFold();
          for (let at = 0, turn = 0; at < values.length; turn++) {
            const part = values.slice(at, at + (lengths[turn % lengths.length] ?? 1));
            // Behind the run the array holds what an earlier run left there.
            fold.add(Float64Array.from([...part, 1e9]), part.length, at);
            at += part.length;
          }
          assert.deepEqual(fold.finish(values.length), gatherStatistics(doubles(values)));
        },
      ),
      { numRuns: runs(50) },
    );
  });

  for (const dtype of ['int64', 'uint64'] as const)
    it(`find the first extremes of ${dtype} exactly, among those that are the same double`, () => {
      const low = dtype === 'int64' ? -(2n ** 63n) : 0n;
      const near = fc.constantFrom(low, low + 2n ** 53n, low + 2n ** 64n - 3_000n);
      const value = fc.tuple(near, fc.bigInt({ min: 0n, max: 2_999n })).map(([base, more]) => base + more);
      fc.assert(
        fc.property(fc.array(value, { minLength: 1 }), values => {
          const list = dtype === 'int64' ? BigInt64Array.from(values) : BigUint64Array.from(values);
          const bytes = new Uint8Array(list.buffer);
          const found = gatherStatistics(numbersOf({ dtype, shape: [values.length], bytes }));
          const sorted = values.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
          assert.deepEqual(
            [found.minAt, found.maxAt],
            [values.indexOf(sorted[0] ?? 0n), values.indexOf(sorted.at(-1) ?? 0n)],
          );
        }),
      );
    });

  it('of a sample are of exactly so many elements as they say, and read no other', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => index);
    const source = countReads(doubles(values));
    const found = gatherStatistics(source, 5_000);
    assert.deepEqual(found, {
      ...gatherStatistics(doubles(source.indexes)),
      count: 100_000,
      looked: 5_000,
      minAt: source.indexes[0],
      maxAt: source.indexes.at(-1),
    });
    assert.equal(new Set(source.indexes).size, 5_000);
    assert.ok(isNear(found.mean, 49_999.5, 5e14), `mean ${found.mean}`);
  });

  it('yield after each run, so that a page can stop', () => {
    const source = countReads(doubles(new Array<number>(1_000_000).fill(1)));
    const steps = statisticsSteps(source);
    assert.deepEqual([steps.next(), source.indexes.length], [{ done: false, value: 0.004096 }, 4_096]);
  });
});

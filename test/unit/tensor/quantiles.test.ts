import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findQuantiles, quantileSteps } from '../../../tensor/quantiles.ts';
import { runsOf } from '../../../tensor/runs.ts';
import { askNumpy } from '../../support/numpy.ts';
import { share } from '../../support/share.ts';
import { countReads, doubles } from './support/reads.ts';
import { IS_FULL_SIZE, runs, sized } from '../../support/size.ts';

const SHARES = [0, 0.01, 0.25, 1 / 3, 0.5, 0.75, 0.99, 1];

/** The quantiles by sorting, as NumPy's `linear` goes between two numbers. */
function bySorting(values: readonly number[], shares: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(values.filter(Number.isFinite)).sort();
  return shares.map(share => {
    const at = (sorted.length - 1) * share;
    const low = sorted[Math.floor(at)] ?? Number.NaN;
    const high = sorted[Math.min(sorted.length - 1, Math.floor(at) + 1)] ?? Number.NaN;
    const part = at - Math.floor(at);
    const way = high - low;
    if (!Number.isFinite(way)) return low * (1 - part) + high * part;
    return part < 0.5 ? low + way * part : high - way * (1 - part);
  });
}

describe('quantiles', () => {
  it('are those of the sorted finite numbers, to the last bit', () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: -1, max: 1 }),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(0, -0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
    );
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 200 }).filter(values => values.some(Number.isFinite)),
        fc.array(share, { maxLength: 4 }),
        (values, shares) => {
          const all = [...SHARES, ...shares];
          assert.deepEqual(findQuantiles(doubles(values), all), {
            values: bySorting(values, all),
            count: values.length,
            looked: values.length,
          });
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('are those of NumPy', () => {
    const values = Array.from(
      { length: sized(9_999, 999) },
      (_, index) => Math.sin(index * index) * 10 ** ((index % 7) - 3),
    );
    const program = 'answer = np.quantile(np.array(given["values"]), given["shares"]).tolist()';
    const name = IS_FULL_SIZE ? 'quantiles' : 'quantiles-few';
    const numpy = askNumpy(name, program, { values, shares: SHARES });
    const found = findQuantiles(doubles(values), SHARES).values;
    assert.deepEqual(found, bySorting(values, SHARES));
    assert.deepEqual(found, numpy);
  });

  it('of no finite number are NaN', () => {
    const none = { values: [Number.NaN, Number.NaN], looked: 0, count: 0 };
    assert.deepEqual(findQuantiles(doubles([]), [0, 1]), none);
    assert.deepEqual(findQuantiles(doubles([Number.NaN, Infinity, -Infinity]), [0, 1]), {
      ...none,
      looked: 3,
      count: 3,
    });
  });

  it('take four passes and store nothing, in steps', () => {
    const source = countReads(doubles(Array.from({ length: 8_192 }, (_, index) => Math.sin(index))));
    assert.deepEqual(
      [...quantileSteps(source, [0.5])],
      [1, 2, 3, 4, 5, 6, 7, 8].map(step => step / 8),
    );
    assert.equal(source.indexes.length, 4 * 8_192);
  });

  it('of a sample are those of exactly the elements that it has', () => {
    const values = Array.from({ length: 50_000 }, (_, index) => Math.sin(index));
    const source = countReads(doubles(values));
    const sample = [...runsOf(50_000, 1_000)].flatMap(({ from, to }) => values.slice(from, to));
    assert.deepEqual(findQuantiles(source, SHARES, 1_000), {
      values: bySorting(sample, SHARES),
      count: 50_000,
      looked: 1_000,
    });
    assert.equal(source.indexes.length, 1_000);
  });
});

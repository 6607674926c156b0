import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { describeHistogram } from '../../../tensor/describe-picture.ts';
import { type Histogram } from '../../../tensor/histogram.ts';
import { numbersOf } from '../../../tensor/numbers.ts';
import { askNumpy } from '../../support/numpy.ts';
import { histogramOf } from '../../support/at-once.ts';
import { countReads, doubles } from './support/reads.ts';

const NOTHING = { isWhole: false, zeros: 0, nan: 0, positiveInfinity: 0, negativeInfinity: 0 };

const PROGRAM = `
index = np.arange(100)
arrays = [
    (index * 7919 % 1009 - 500) / 64,
    np.array([0.1 * k for k in range(11)]),
    np.sqrt(index),
    1e6 + index / 1e6,
    np.full(5, 2.5),
    np.array([-1e-300, 3e-300, 0]),
]
answer = []
for values in arrays:
    made = []
    for bins in [1, 7, 10, 64]:
        counts, edges = np.histogram(values, bins)
        made.append({'bins': bins, 'counts': counts.tolist(), 'edges': edges.tolist()})
    answer.append({'values': values.tolist(), 'histograms': made})
`;

interface Asked {
  readonly values: readonly number[];
  readonly histograms: readonly {
    readonly bins: number;
    readonly counts: readonly number[];
    readonly edges: readonly number[];
  }[];
}

function bytesOf(values: readonly number[]): Histogram {
  const bytes = Uint8Array.from(values);
  const source = numbersOf({ dtype: 'uint8', shape: [values.length], bytes });
  return histogramOf(source, { scale: 'linear', bins: 64 });
}

describe('a histogram', () => {
  it('has the edges and the counts of NumPy', () => {
    const asked = askNumpy('histogram', PROGRAM) as readonly Asked[];
    assert.equal(asked.length, 6);
    for (const { values, histograms } of asked)
      for (const { bins, counts, edges } of histograms)
        assert.deepEqual(histogramOf(doubles(values), { scale: 'linear', bins }), {
          ...NOTHING,
          scale: 'linear',
          edges,
          counts,
          count: values.length,
          looked: values.length,
        });
  });

  it('counts each number between the edges where it lies, on both scales', () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -1, max: 1 }), fc.integer({ min: -5, max: 5 }));
    fc.assert(
      fc.property(
        fc.array(number, { maxLength: 60 }),
        fc.constantFrom('linear' as const, 'log' as const),
        fc.integer({ min: 1, max: 20 }),
        (values, scale, bins) => {
          const found = histogramOf(doubles(values), { scale, bins });
          const finite = values.filter(Number.isFinite);
          const counted = scale === 'log' ? finite.filter(value => value !== 0).map(Math.abs) : finite;
          const { edges } = found;
          const last = edges.length - 2;
          const wanted = edges
            .slice(0, -1)
            .map(
              (edge, bin) =>
                counted.filter(
                  value =>
                    value >= edge &&
                    (value < (edges[bin + 1] ?? 0) || (bin === last && value === edges[bin + 1])),
                ).length,
            );
          assert.deepEqual(found, {
            scale,
            edges,
            isWhole: false,
            counts: wanted,
            zeros: finite.length - counted.length,
            nan: values.filter(Number.isNaN).length,
            positiveInfinity: values.filter(value => value === Infinity).length,
            negativeInfinity: values.filter(value => value === -Infinity).length,
            count: values.length,
            looked: values.length,
          });
          assert.equal(
            found.counts.reduce((sum, count) => sum + count, 0),
            counted.length,
          );
        },
      ),
      // Further from each other than the largest number.
      {
        examples: [
          [[-Number.MAX_VALUE, 0, Number.MAX_VALUE], 'linear', 3],
          [[-1.8960482940579838e293, 1.797693134862314e308], 'linear', 1],
        ],
      },
    );
  });

  it('starts at the smallest of numbers that are further from each other than the largest one', () => {
    const found = (least: number, bins: number): readonly number[] =>
      histogramOf(doubles([least, Number.MAX_VALUE]), { scale: 'linear', bins }).edges;
    assert.deepEqual(found(-1e293, 1), [-1e293, Number.MAX_VALUE]);
    assert.deepEqual(found(-Number.MAX_VALUE, 2), [-Number.MAX_VALUE, 0, Number.MAX_VALUE]);
  });

  it('on a log scale has bins that grow by the same factor, and zeros apart', () => {
    const found = histogramOf(doubles([0.001, -0.01, 0.02, 0.1, -1, 0, -0, Number.NaN]), {
      scale: 'log',
      bins: 3,
    });
    assert.deepEqual(
      { ...found, edges: found.edges.map(edge => Number(edge.toPrecision(12))) },
      {
        scale: 'log',
        edges: [0.001, 0.01, 0.1, 1],
        isWhole: false,
        counts: [1, 2, 2],
        zeros: 2,
        nan: 1,
        positiveInfinity: 0,
        negativeInfinity: 0,
        count: 8,
        looked: 8,
      },
    );
  });

  it('of integers has its edges on integers and as many of them in each bin', () => {
    assert.deepEqual(
      [bytesOf([3, 3, 5]), bytesOf([7]), bytesOf([0, 129, 129])].map(({ edges, counts }) => ({
        edges,
        counts,
      })),
      [
        { edges: [3, 4, 5, 6], counts: [2, 0, 1] },
        { edges: [7, 8], counts: [1] },
        {
          edges: [...Array.from({ length: 44 }, (_, at) => at * 3), 130],
          counts: [1, ...new Array<number>(42).fill(0), 2],
        },
      ],
    );
  });

  it('has as many bins as its numbers ask for', () => {
    const waves = (length: number): readonly number[] =>
      Array.from({ length }, (_, index) => Math.sin(index * 12.9898));
    const binsOf = (values: readonly number[]): number =>
      histogramOf(doubles(values), { scale: 'linear', bins: 'auto' }).counts.length;
    assert.deepEqual(
      [[7], [7, 7, 7], waves(2), waves(12), waves(1_000), waves(40_000), [Number.NaN, ...waves(11)]].map(
        binsOf,
      ),
      [1, 1, 3, 5, 20, 64, 5],
    );
    const log = histogramOf(doubles([0, 0, 0, 0, 1, 100]), { scale: 'log', bins: 'auto' });
    assert.equal(log.counts.length, 3);
  });

  it('of integers has one bin each where they are few, else bins that are as wide as each other', () => {
    const auto = (values: readonly number[]): Histogram => {
      const source = numbersOf({
        dtype: 'uint8',
        shape: [values.length],
        bytes: Uint8Array.from(values),
      });
      return histogramOf(source, { scale: 'linear', bins: 'auto' });
    };
    const few = auto([3, 3, 6]);
    assert.deepEqual(
      [few.edges, few.counts],
      [
        [3, 4, 5, 6, 7],
        [2, 0, 0, 1],
      ],
    );
    const all = Array.from({ length: 2_304 }, (_, index) => index & 255);
    const { edges, counts } = auto(all);
    assert.deepEqual(
      { edges, counts },
      {
        edges: Array.from({ length: 33 }, (_, at) => at * 8),
        counts: new Array<number>(32).fill(72),
      },
    );
    assert.equal(
      describeHistogram(auto(all)),
      'Histogram of 2,304 values in 32 bins from 0 to 255; the fullest has 72, from 0 to 7',
    );
    assert.equal(
      describeHistogram(few),
      'Histogram of 3 values in 4 bins from 3 to 6; the fullest has 2, at 3',
    );
  });

  it('of integers that no double tells apart has fewer bins, and loses none of them', () => {
    const values = BigInt64Array.of(2n ** 62n, 2n ** 62n + 1n, 2n ** 62n + 1024n);
    const source = numbersOf({ dtype: 'int64', shape: [3], bytes: new Uint8Array(values.buffer) });
    const { edges, counts } = histogramOf(source, { scale: 'linear', bins: 10 });
    assert.deepEqual({ edges, counts }, { edges: [2 ** 62, 2 ** 62 + 1024], counts: [3] });
  });

  it('of no number has no bins', () => {
    const none = { ...NOTHING, edges: [], counts: [], count: 0, looked: 0 };
    assert.deepEqual(histogramOf(doubles([]), { scale: 'linear', bins: 8 }), { ...none, scale: 'linear' });
    assert.deepEqual(histogramOf(doubles([0, Infinity]), { scale: 'log', bins: 8 }), {
      ...none,
      scale: 'log',
      zeros: 1,
      positiveInfinity: 1,
      count: 2,
      looked: 2,
    });
  });

  it('of a sample reads exactly so many elements, twice: for the range and for the counts', () => {
    const source = countReads(doubles(Array.from({ length: 20_000 }, (_, index) => index)));
    const found = histogramOf(source, { scale: 'linear', bins: 4, most: 600 });
    assert.deepEqual(
      [found.count, found.looked, found.counts.reduce((sum, count) => sum + count)],
      [20_000, 600, 600],
    );
    assert.deepEqual(source.indexes.slice(0, 600), source.indexes.slice(600));
  });

  it('is described in words', () => {
    const values = [0, 0.5, 1, 1, 1.2, 4, Number.NaN, -Infinity];
    const sample = histogramOf(doubles(new Array<number>(5_000).fill(3)), {
      scale: 'log',
      bins: 9,
      most: 1_000,
    });
    assert.deepEqual(
      [
        describeHistogram(histogramOf(doubles(values), { scale: 'linear', bins: 4 })),
        describeHistogram(histogramOf(doubles([-2, 0, 0, 8]), { scale: 'log', bins: 2 })),
        describeHistogram(sample),
        describeHistogram(histogramOf(doubles([Infinity]), { scale: 'log', bins: 2 })),
      ],
      [
        'Histogram of 6 values in 4 bins from 0 to 4; the fullest has 3, from 1 to 2; 1 NaN and 1 −Inf',
        'Histogram of 2 magnitudes in 2 bins from 2 to 8; the fullest has 1, from 2 to 4; 2 zeros',
        'Histogram of 1,000 magnitudes in 1 bin at 3; a sample of 1,000 of 5,000 elements',
        'Histogram without a value; 1 Inf',
      ],
    );
  });
});

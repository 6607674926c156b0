import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { shortNumber, shortRange } from '../../../tensor/describe-number.ts';
import { describeCounts, describeSample } from '../../../tensor/describe-statistics.ts';
import { gatherStatistics } from '../../../tensor/statistics.ts';
import { doubles } from './support/reads.ts';

describe('numbers for people', () => {
  it('are short, with four significant digits', () => {
    const numbers = [
      3.40012,
      -1.2,
      0.01,
      0.0021049,
      0.001,
      0.00099996,
      -1.23456e-7,
      5e-324,
      0,
      -0,
      1,
      255,
      65_535,
      -9_999_999,
      10_000_000,
      1234.5,
      999.96,
      9_999_999.7,
      1.5e300,
      2n ** 63n,
      7n,
      Number.NaN,
      Infinity,
      -Infinity,
    ];
    assert.deepEqual(numbers.map(shortNumber), [
      '3.4',
      '−1.2',
      '0.01',
      '0.002105',
      '0.001',
      '1e−3',
      '−1.235e−7',
      '4.941e−324',
      '0',
      '−0',
      '1',
      '255',
      '65535',
      '−9999999',
      '1e7',
      '1235',
      '1000',
      '10000000',
      '1.5e300',
      '9.223e18',
      '7',
      'NaN',
      '∞',
      '−∞',
    ]);
  });

  it('are near to the number, and no longer than 11 characters', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e308, max: 1e308, noNaN: true }), value => {
        const text = shortNumber(value);
        const back = Number(text.replaceAll('−', '-'));
        assert.ok(Math.abs(back - value) <= Math.abs(value) * 5.01e-4, `${text} for ${value}`);
        assert.ok(text.length <= 11, text);
      }),
    );
  });

  it('make ranges', () => {
    assert.deepEqual(
      [
        shortRange({ min: -1.2, max: 3.40012 }),
        shortRange({ min: 2, max: 2 }),
        shortRange({ min: 1, max: 1.00001 }),
      ],
      ['−1.2…3.4', '2', '1'],
    );
  });
});

describe('statistics in words', () => {
  it('say what there is, and what only a sample tells', () => {
    const mixed = [-1.5, 0, -0, 2.5, 4, Number.NaN, Infinity, -Infinity, -Infinity];
    const many = gatherStatistics(doubles(new Array<number>(2_000).fill(0)), 100);
    assert.deepEqual(
      [
        describeCounts(gatherStatistics(doubles(mixed))),
        describeCounts(gatherStatistics(doubles([Number.NaN, Number.NaN]))),
        describeCounts(gatherStatistics(doubles([1]))),
        describeSample(many),
        describeSample(gatherStatistics(doubles([1]))),
      ],
      [
        '2 zeros, 1 NaN, 1 Inf and 2 −Inf',
        '2 NaN',
        undefined,
        'a sample of 100 of 2,000 elements',
        undefined,
      ],
    );
  });
});

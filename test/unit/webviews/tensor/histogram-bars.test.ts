import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describeBar,
  layOutBars,
  listApart,
} from '../../../../client/webviews/tensor/histogram/histogram-bars.ts';
import { histogramOf } from '../../../support/at-once.ts';
import { numbersOf, type NumberSource } from '../../../../tensor/numbers.ts';

function doubles(values: readonly number[]): NumberSource {
  const bytes = new Uint8Array(Float64Array.from(values).buffer);
  return numbersOf({ dtype: 'float64', shape: [values.length], bytes });
}

function bytes(values: readonly number[]): NumberSource {
  return numbersOf({ dtype: 'uint8', shape: [values.length], bytes: Uint8Array.from(values) });
}

describe('bars of a histogram', () => {
  it('have heights in proportion and ranges whose last edge is closed', () => {
    const histogram = histogramOf(doubles([0, 0.1, 0.2, 0.3, 0.6, 1]), { scale: 'linear', bins: 2 });
    assert.deepEqual(layOutBars(histogram, 'linear'), {
      bars: [
        { height: 1, range: '0 up to 0.5', count: '4', share: '66.7 %' },
        { height: 0.5, range: '0.5 to 1', count: '2', share: '33.3 %' },
      ],
      ticks: [
        { at: 0, text: '0' },
        { at: 0.25, text: '1' },
        { at: 0.5, text: '2' },
        { at: 0.75, text: '3' },
        { at: 1, text: '4' },
      ],
      edges: [
        { at: 0, text: '0' },
        { at: 0.5, text: '0.5' },
        { at: 1, text: '1' },
      ],
    });
  });

  it('show a single element among many on the logarithmic scale', () => {
    const values = [...Array.from({ length: 9_999 }, () => 0), 1];
    const histogram = histogramOf(doubles(values), { scale: 'linear', bins: 4 });
    const { bars, ticks } = layOutBars(histogram, 'log');
    assert.deepEqual(
      bars.map(({ height, count, share }) => [Number(height.toFixed(4)), count, share]),
      [
        [1, '9,999', 'over 99.9 %'],
        [0, '0', '0 %'],
        [0, '0', '0 %'],
        [0.0753, '1', 'under 0.1 %'],
      ],
    );
    assert.deepEqual(
      ticks.map(({ at, text }) => [Number(at.toFixed(2)), text]),
      [
        [0, '0'],
        [0.26, '10'],
        [0.5, '100'],
        [0.75, '1,000'],
      ],
    );
  });

  it('have a few round counts beside them', () => {
    const report = (count: number): readonly string[] =>
      layOutBars(
        histogramOf(doubles(new Array<number>(count).fill(1)), { scale: 'linear', bins: 1 }),
        'linear',
      ).ticks.map(({ text }) => text);
    assert.deepEqual([1, 3, 7, 12, 99, 123_456].map(report), [
      ['0', '1'],
      ['0', '1', '2', '3'],
      ['0', '2', '4', '6'],
      ['0', '5', '10'],
      ['0', '20', '40', '60', '80'],
      ['0', '50,000', '100,000'],
    ]);
  });

  it('of an odd number have the edge nearest to the middle where it lies', () => {
    const histogram = histogramOf(doubles([0, 1, 2, 5]), { scale: 'linear', bins: 5 });
    assert.deepEqual(layOutBars(histogram, 'linear').edges, [
      { at: 0, text: '0' },
      { at: 0.6, text: '3' },
      { at: 1, text: '5' },
    ]);
  });

  it('are described by their numbers if these are whole', () => {
    const few = histogramOf(bytes([3, 3, 5]), { scale: 'linear', bins: 64 });
    const many = histogramOf(bytes([0, 7, 254]), { scale: 'linear', bins: 64 });
    const chart = layOutBars(few, 'linear');
    assert.deepEqual(chart.bars.map(describeBar), [
      '3: 2 elements, 66.7 %',
      '4: 0 elements, 0 %',
      '5: 1 element, 33.3 %',
    ]);
    assert.deepEqual(chart.edges, [
      { at: 0, text: '3' },
      { at: 1, text: '5' },
    ]);
    const ranges = layOutBars(many, 'linear').bars.map(({ range }) => range);
    assert.deepEqual(
      [ranges.length, ranges[0], ranges[1], ranges[63]],
      [64, '0 to 3', '4 to 7', '252 to 254'],
    );
  });

  it('have edges in as many digits as tell them apart', () => {
    const histogram = histogramOf(doubles([1000.0001, 1000.0004]), { scale: 'linear', bins: 3 });
    assert.deepEqual(
      layOutBars(histogram, 'linear').bars.map(({ range }) => range),
      ['1000.0001 up to 1000.0002', '1000.0002 up to 1000.0003', '1000.0003 to 1000.0004'],
    );
  });

  it('list what is in none of them', () => {
    const values = [1, 0, -0, Number.NaN, Infinity, -Infinity, -Infinity, 2];
    const apart = (['linear', 'log'] as const).map(scale =>
      listApart(histogramOf(doubles(values), { scale, bins: 4 })),
    );
    assert.deepEqual(apart, [
      ['NaN 1 (12.5 %)', '−Inf 2 (25 %)', '+Inf 1 (12.5 %)'],
      ['zeros 2 (25 %)', 'NaN 1 (12.5 %)', '−Inf 2 (25 %)', '+Inf 1 (12.5 %)'],
    ]);
  });

  it('are none where no number is finite', () => {
    const histogram = histogramOf(doubles([Number.NaN]), { scale: 'linear', bins: 4 });
    assert.deepEqual(layOutBars(histogram, 'linear'), {
      bars: [],
      ticks: [],
      edges: [],
    });
  });
});

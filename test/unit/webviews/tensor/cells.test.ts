import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cellReader, columnWidth, fitColumn } from '../../../../client/webviews/tensor/grid/cells.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

function floats(...values: readonly number[]): Tensor {
  return {
    dtype: 'float32',
    shape: [values.length],
    bytes: new Uint8Array(new Float32Array(values).buffer),
  };
}

function readAll(tensor: Tensor, style: 'short' | 'exact'): readonly string[] {
  const read = cellReader(tensor, style);
  return Array.from({ length: tensor.shape[0] ?? 1 }, (_, index) => read(index).text);
}

describe('cells', () => {
  it('write floats with four decimals, and with an exponent what four decimals do not show', () => {
    const tensor = floats(0, -0, 0.1, -0.0021, 1.5, 0.0009, -1e-9, 99_999, 1e5, -3e38);
    assert.deepEqual(readAll(tensor, 'short'), [
      '0',
      '−0',
      '0.1000',
      '−0.0021',
      '1.5000',
      '9.0000e−4',
      '−1.0000e−9',
      '99999.0000',
      '1.0000e+5',
      '−3.0000e+38',
    ]);
  });

  it('write the same exactly on demand', () => {
    assert.deepEqual(readAll(floats(0.1, -1e-9, 1e6, Number.NaN), 'exact'), [
      '0.1',
      '-1e-9',
      '1000000.0',
      'nan',
    ]);
  });

  it('name what is no finite number, and tell it by its look', () => {
    const read = cellReader(floats(1, Number.NaN, Infinity, -Infinity), 'short');
    assert.deepEqual(
      [0, 1, 2, 3].map(index => read(index)),
      [
        { text: '1.0000', look: 'number' },
        { text: 'NaN', look: 'nan' },
        { text: 'Inf', look: 'inf' },
        { text: '−Inf', look: 'inf' },
      ],
    );
  });

  it('never round an integer', () => {
    const bytes = new Uint8Array(new BigInt64Array([-(2n ** 63n), 9007199254740993n]).buffer);
    assert.deepEqual(readAll({ dtype: 'int64', shape: [2], bytes }, 'short'), [
      '−9223372036854775808',
      '9007199254740993',
    ]);
  });

  it('show both parts of a complex number, and its worse look', () => {
    const bytes = new Uint8Array(new Float32Array([1.5, -2, 0, Number.NaN, Infinity, 1]).buffer);
    const read = cellReader({ dtype: 'complex64', shape: [3], bytes }, 'short');
    assert.deepEqual(
      [0, 1, 2].map(index => read(index)),
      [
        { text: '1.5000−2.0000i', look: 'number' },
        { text: '0+NaNi', look: 'nan' },
        { text: 'Inf+1.0000i', look: 'inf' },
      ],
    );
  });

  it('stand at the right of their column, with a mark where they do not fit', () => {
    const width = columnWidth('uint8', 'short', 10);
    assert.deepEqual(
      [width, columnWidth('bool', 'short', 1_000_001), fitColumn('7', width), fitColumn('1234567', width)],
      [6, 9, '    7 ', ' 123… '],
    );
  });

  it('have room for the longest short values of every float', () => {
    for (const value of [-3.4028234663852886e38, -1.401298464324817e-45, -99_999.9921875]) {
      const [text = ''] = readAll(floats(value), 'short');
      assert.ok(text.length + 2 <= columnWidth('float32', 'short', 1), text);
    }
    const bytes = new Uint8Array(
      new Float64Array([-Number.MAX_VALUE, -Number.MIN_VALUE, -99_999.99999]).buffer,
    );
    for (const text of readAll({ dtype: 'float64', shape: [3], bytes }, 'short'))
      assert.ok(text.length + 2 <= columnWidth('float64', 'short', 1), text);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { colourTable, SPECIAL_COLOURS } from '../../../tensor/colour-maps.ts';
import { describeHeatMap } from '../../../tensor/describe-picture.ts';
import {
  paintCells,
  rangeOf,
  shrinkPlane,
  symmetricRange,
  type Cells,
  type PictureSize,
  type Plane,
} from '../../../tensor/heat-map.ts';
import { countReads, doubles } from './support/reads.ts';
import { sized } from '../../support/size.ts';

/** The last two axes of a shape of two. */
function planeOf(rows: number, columns: number): Plane {
  return { rows, columns, rowStride: columns, columnStride: 1, offset: 0 };
}

/** The other way to the same cells: block by block, element by element. */
function byHand(values: readonly number[], plane: Plane, size: PictureSize): Cells {
  const [rows, columns] = [Math.min(plane.rows, size.height), Math.min(plane.columns, size.width)];
  const sums = new Array<number>(rows * columns).fill(0);
  const counts = new Array<number>(rows * columns).fill(0);
  for (let row = 0; row < plane.rows; row++)
    for (let column = 0; column < plane.columns; column++) {
      const cell =
        Math.floor((row * rows) / plane.rows) * columns + Math.floor((column * columns) / plane.columns);
      const value = values[plane.offset + row * plane.rowStride + column * plane.columnStride];
      sums[cell] = (sums[cell] ?? 0) + (value ?? Number.NaN);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  const count = plane.rows * plane.columns;
  const means = Float64Array.from(sums, (sum, cell) => sum / (counts[cell] ?? 1));
  return { rows, columns, values: means, count, looked: count };
}

function tableColour(step: number): readonly number[] {
  return [...colourTable('cool').subarray(step * 3, step * 3 + 3), 255];
}

describe('a plane made small', () => {
  it('has the mean of each block, along any two axes of a tensor', () => {
    const size = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        fc.tuple(size, size, size),
        fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 2, maxLength: 2 }),
        fc.nat(11),
        fc.record({ width: size, height: size }),
        (shape, [rowAxis = 0, columnAxis = 1], index, picture) => {
          const strides = [shape[1] * shape[2], shape[2], 1];
          const other = 3 - rowAxis - columnAxis;
          // Small integers: their sums are exact in any order.
          const values = Array.from(
            { length: shape[0] * shape[1] * shape[2] },
            (_, at) => (at * 7919) % 1009,
          );
          const plane = {
            rows: shape[rowAxis] ?? 1,
            columns: shape[columnAxis] ?? 1,
            rowStride: strides[rowAxis] ?? 1,
            columnStride: strides[columnAxis] ?? 1,
            offset: (index % (shape[other] ?? 1)) * (strides[other] ?? 1),
          };
          assert.deepEqual(shrinkPlane(doubles(values), plane, picture), byHand(values, plane, picture));
        },
      ),
    );
  });

  it('reads each element once, also where a line has few and where lines are far apart', () => {
    const long = sized(10_000, 2_000);
    const count = 3 * long;
    const values = Array.from({ length: count }, (_, at) => at % 97);
    const planes: readonly Plane[] = [
      planeOf(long, 3),
      planeOf(3, long),
      planeOf(1, count),
      planeOf(count, 1),
      { rows: 3, columns: long, rowStride: 1, columnStride: 3, offset: 0 },
      { rows: count, columns: 1, rowStride: 1, columnStride: 0, offset: 0 },
      // Both axes leave a third one out: each element is read alone.
      { rows: count / 1_500, columns: 30, rowStride: 1_500, columnStride: 50, offset: 7 },
    ];
    for (const plane of planes) {
      const source = countReads(doubles(values));
      const size = { width: 50, height: 40 };
      assert.deepEqual(shrinkPlane(source, plane, size), byHand(values, plane, size));
      const wanted = plane.rows * plane.columns;
      assert.deepEqual([source.indexes.length, new Set(source.indexes).size], [wanted, wanted]);
    }
  });

  it('keeps NaN and infinities in sight among any number of others', () => {
    const values = new Array<number>(400).fill(1);
    values[0] = Number.NaN;
    values[15] = Infinity;
    values[399] = -Infinity;
    values[390] = 5;
    values[201] = Infinity;
    values[222] = -Infinity;
    const cells = shrinkPlane(doubles(values), planeOf(20, 20), { width: 2, height: 2 });
    assert.deepEqual([...cells.values], [Number.NaN, Infinity, Number.NaN, -Infinity]);
  });

  it('has the mean of huge numbers, whose sum is none', () => {
    const cells = shrinkPlane(doubles(new Array<number>(64).fill(2 ** 1023)), planeOf(8, 8), {
      width: 1,
      height: 1,
    });
    assert.deepEqual([...cells.values], [2 ** 1023]);
  });

  it('of a sample reads only some lines, and of very long ones only parts, and says how many', () => {
    const wide = Array.from({ length: 400 * 300 }, (_, at) => Math.floor(at / 300));
    const source = countReads(doubles(wide));
    const cells = shrinkPlane(source, planeOf(400, 300), { width: 10, height: 10 }, 2);
    // Of each 40 rows the 11th and the 31st; all of their columns.
    assert.deepEqual(
      { looked: cells.looked, count: cells.count, read: source.indexes.length },
      { looked: 20 * 300, count: 120_000, read: 20 * 300 },
    );
    assert.deepEqual(
      [...cells.values],
      Array.from({ length: 100 }, (_, cell) => Math.floor(cell / 10) * 40 + 20),
    );
    const count = sized(1_000_000, 100_000);
    const long = countReads(doubles(Array.from({ length: count }, (_, at) => at)));
    const few = shrinkPlane(long, planeOf(1, count), { width: 10, height: 10 }, 2);
    assert.deepEqual(
      { rows: few.rows, looked: few.looked, read: long.indexes.length, first: long.indexes[0] },
      { rows: 1, looked: 640, read: 640, first: count / 20 - 32 },
    );
    assert.deepEqual(
      [...few.values],
      Array.from({ length: 10 }, (_, cell) => cell * (count / 10) + count / 20 - 0.5),
    );
  });

  it('of nothing is nothing', () => {
    const none = { rows: 0, columns: 0, values: new Float64Array(0), count: 0, looked: 0 };
    const size = { width: 4, height: 4 };
    assert.deepEqual(shrinkPlane(doubles([]), { ...planeOf(0, 3), rowStride: 3 }, size), {
      ...none,
      columns: 3,
    });
    assert.deepEqual(shrinkPlane(doubles([]), planeOf(0, 0), size), none);
  });
});

describe('a heat map', () => {
  const cells: Cells = {
    rows: 2,
    columns: 3,
    values: Float64Array.of(-1, 0, 1, Number.NaN, Infinity, -Infinity),
    count: 6,
    looked: 6,
  };

  it('has the colours of its map, ends for what lies outside, and colours for what is not a number', () => {
    const { rgba, ...size } = paintCells(cells, { width: 3, height: 2 }, { min: 0, max: 0.5 }, 'cool');
    assert.deepEqual(size, { width: 3, height: 2 });
    assert.deepEqual(
      [...rgba],
      [
        tableColour(0),
        tableColour(0),
        tableColour(255),
        [...SPECIAL_COLOURS.nan, 255],
        [...SPECIAL_COLOURS.positiveInfinity, 255],
        [...SPECIAL_COLOURS.negativeInfinity, 255],
      ].flat(),
    );
  });

  it('enlarges cells with crisp edges', () => {
    const row: Cells = { rows: 1, columns: 2, values: Float64Array.of(0, 255), count: 2, looked: 2 };
    const { rgba } = paintCells(row, { width: 4, height: 2 }, { min: 0, max: 255 }, 'grey');
    const line = [0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255];
    assert.deepEqual([...rgba], [...line, ...line]);
  });

  it('has the middle of its map for a range of one value, and for 0 in a range around it', () => {
    const one: Cells = { rows: 1, columns: 1, values: Float64Array.of(7), count: 1, looked: 1 };
    const size = { width: 1, height: 1 };
    const middle = [...paintCells(one, size, { min: 7, max: 7 }, 'cool').rgba];
    assert.deepEqual(middle, tableColour(128));
    const zero = { ...one, values: Float64Array.of(0) };
    assert.deepEqual([...paintCells(zero, size, symmetricRange({ min: -2, max: 9 }), 'cool').rgba], middle);
  });

  it('spans any range of doubles', () => {
    const most = Number.MAX_VALUE;
    const ends: Cells = { rows: 1, columns: 2, values: Float64Array.of(-most, most), count: 2, looked: 2 };
    const { rgba } = paintCells(ends, { width: 2, height: 1 }, { min: -most, max: most }, 'cool');
    assert.deepEqual([...rgba], [...tableColour(0), ...tableColour(255)]);
  });

  it('has a range of its finite cells, and one around 0', () => {
    assert.deepEqual(
      [
        rangeOf(cells),
        rangeOf({ ...cells, values: Float64Array.of(Number.NaN, Infinity) }),
        symmetricRange({ min: -1, max: 3 }),
        symmetricRange({ min: -4, max: -3 }),
      ],
      [{ min: -1, max: 1 }, undefined, { min: -3, max: 3 }, { min: -4, max: 4 }],
    );
  });

  it('is described in words', () => {
    const small = shrinkPlane(
      doubles(new Array<number>(10_000).fill(2)),
      planeOf(100, 100),
      { width: 20, height: 10 },
      2,
    );
    assert.deepEqual(
      [
        describeHeatMap({
          rows: 2,
          columns: 3,
          range: { min: -1.25, max: 1 },
          colourMap: 'diverging',
          cells,
        }),
        describeHeatMap({
          rows: 100,
          columns: 100,
          range: { min: 2, max: 2 },
          colourMap: 'cool',
          cells: small,
        }),
        describeHeatMap({
          rows: 1,
          columns: 1,
          range: { min: 0, max: 0 },
          colourMap: 'grey',
          cells: { rows: 1, columns: 1, values: Float64Array.of(0), count: 1, looked: 1 },
        }),
      ],
      [
        'Heat map of 2 rows and 3 columns; −1.25 to 1, blue, white, red; points with 1 NaN, 1 Inf and 1 −Inf',
        'Heat map of 100 rows and 100 columns; 2 to 2, blue to yellow; each of 20 × 10 points is the mean of its block; a sample of 2,000 of 10,000 elements',
        'Heat map of 1 row and 1 column; 0 to 0, grey',
      ],
    );
  });
});

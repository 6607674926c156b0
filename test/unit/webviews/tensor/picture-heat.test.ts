import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Plane } from '../../../../tensor/heat-map.ts';
import { planeOf } from '../../../../client/webviews/tensor/axes.ts';
import { heatPicture, type HeatMap } from '../../../../client/webviews/tensor/picture/picture-heat.ts';
import { paintSteps, type PicturePart } from '../../../../client/webviews/tensor/picture/picture-paint.ts';
import {
  chooseRange,
  fullRange,
  parseRange,
  suggestColours,
} from '../../../../client/webviews/tensor/picture/picture-range.ts';
import { describeBlock, readCell } from '../../../../client/webviews/tensor/picture/picture-readout.ts';
import { describeHeat, describeShrunk } from '../../../../client/webviews/tensor/picture/picture-words.ts';
import { colourTable, SPECIAL_COLOURS } from '../../../../tensor/colour-maps.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import { numbersOf } from '../../../../tensor/numbers.ts';
import { gatherStatistics } from '../../../../tensor/statistics.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

/** Bytes 0, 1, 2, …: with the range 0 to 255 each has the grey of its own value. */
function countingTensor(shape: readonly number[]): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return { dtype: 'uint8', shape, bytes: Uint8Array.from({ length: count }, (_, at) => (at * 7) % 256) };
}

function floats(values: readonly number[]): Tensor {
  return {
    dtype: 'float64',
    shape: [values.length],
    bytes: new Uint8Array(Float64Array.from(values).buffer),
  };
}

/** The greys of a part, as the definition says: the mean of each block, rounded. */
function greysOf({ bytes }: Tensor, plane: Plane, part: PicturePart): number[] {
  const greys: number[] = [];
  for (let row = part.row; row < part.row + part.rows; row += part.blockRows) {
    for (let column = part.column; column < part.column + part.columns; column += part.blockColumns) {
      let [sum, count] = [0, 0];
      for (let y = row; y < Math.min(row + part.blockRows, part.row + part.rows); y++) {
        for (let x = column; x < Math.min(column + part.blockColumns, part.column + part.columns); x++) {
          sum += bytes[plane.offset + y * plane.rowStride + x * plane.columnStride] ?? 0;
          count++;
        }
      }
      greys.push(Math.round(sum / count));
    }
  }
  return greys;
}

/** The colours of a part of a heat map. */
function paintHeat(map: HeatMap, part: PicturePart): Uint8ClampedArray {
  return runAtOnce(paintSteps(heatPicture(map, String), part)).rgba;
}

const GREY = { range: { min: 0, max: 255 }, colourMap: 'grey' } as const;

describe('picture of a plane', () => {
  it('paints any part of any plane with the means of its blocks', () => {
    const side = fc.integer({ min: 1, max: 12 });
    const axes = fc.constantFrom([0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]);
    fc.assert(
      fc.property(
        fc.tuple(side, side, side),
        axes,
        side,
        side,
        fc.nat(11),
        fc.nat(11),
        (shape, [rows, columns], ...rest) => {
          const [blockRows, blockColumns, row, column] = rest;
          const tensor = countingTensor(shape);
          const plane = planeOf(shape, { rows, columns, at: shape.map(size => size - 1) });
          if (row >= plane.rows || column >= plane.columns) return;
          const part = {
            row,
            column,
            rows: plane.rows - row,
            columns: plane.columns - column,
            blockRows,
            blockColumns,
          };
          const painted = paintHeat({ numbers: numbersOf(tensor), plane, ...GREY }, part);
          const expected = greysOf(tensor, plane, part).flatMap(grey => [grey, grey, grey, 255]);
          assert.deepEqual([...painted], expected);
        },
      ),
    );
  });

  it('paints what is no finite number in colours of its own, and clips the rest', () => {
    const tensor = floats([Number.NaN, Infinity, -Infinity, -9, 9]);
    const plane = planeOf(tensor.shape, { rows: 0, columns: undefined, at: [0] });
    const part = { row: 0, column: 0, rows: 5, columns: 1, blockRows: 1, blockColumns: 1 };
    const map = { numbers: numbersOf(tensor), plane, range: { min: -1, max: 1 }, colourMap: 'cool' } as const;
    const table = [...colourTable('cool')];
    const { nan, positiveInfinity, negativeInfinity } = SPECIAL_COLOURS;
    const colours = [nan, positiveInfinity, negativeInfinity, table.slice(0, 3), table.slice(-3)];
    assert.deepEqual(
      [...paintHeat(map, part)],
      colours.flatMap(colour => [...colour, 255]),
    );
  });

  it('gives a vector length, and each cell the text of its element', () => {
    const tensor = countingTensor([2, 3]);
    const plane = planeOf(tensor.shape, { rows: 1, columns: 0, at: [0, 0] });
    const picture = heatPicture({ numbers: numbersOf(tensor), plane, ...GREY }, index => `#${index}`);
    assert.deepEqual(
      [picture.size, picture.label({ row: 2, column: 1 }), picture.zoom],
      [{ rows: 3, columns: 2, least: 32 }, '#5', undefined],
    );
  });

  it('reads a cell exactly, and says what else its pixel shows', () => {
    const tensor: Tensor = {
      dtype: 'int64',
      shape: [2, 2],
      bytes: new Uint8Array(BigInt64Array.of(0n, 1n, -(2n ** 63n), 2n ** 63n - 1n).buffer),
    };
    const plane = planeOf(tensor.shape, { rows: 0, columns: 1, at: [0, 0] });
    assert.equal(readCell(tensor, plane, { row: 1, column: 1 }), '[1, 1] 9223372036854775807');
    assert.equal(describeBlock({ row: 0, column: 0, rows: 1, columns: 1 }), '');
    assert.equal(
      describeBlock({ row: 0, column: 0, rows: 7, columns: 1_024 }),
      ', the first of 7 × 1,024 in this pixel',
    );
  });

  it('says in words what it shows', () => {
    const shape = [4, 128, 256];
    const slicing = { rows: 1, columns: 2, at: [3, 0, 0] };
    const words = describeHeat({
      shape,
      slicing,
      plane: planeOf(shape, slicing),
      range: { min: -1.25, max: 3.5 },
      colourMap: 'cool',
    });
    assert.equal(words, 'Heat map of 128 rows and 256 columns; −1.25 to 3.5, blue to yellow; at [3, :, :]');
    assert.deepEqual(
      [
        { rows: 1, columns: 1 },
        { rows: 7, columns: 7 },
        { rows: 1, columns: 96 },
      ].map(describeShrunk),
      [
        '',
        '; each pixel is the mean of 7 × 7 elements',
        '; each pixel is the mean of a sample of 1 × 96 elements',
      ],
    );
  });
});

describe('range of a picture', () => {
  it('is that of all finite numbers, around 0, without the outermost, or typed', () => {
    const full = fullRange(gatherStatistics(numbersOf(floats([-1, Number.NaN, 3, Infinity]))));
    const known = { full, clipped: { min: 0, max: 2 }, own: { min: 5, max: 6 } };
    assert.deepEqual(
      (['full', 'symmetric', 'clipped', 'own'] as const).map(choice => chooseRange(choice, known)),
      [
        { min: -1, max: 3 },
        { min: -3, max: 3 },
        { min: 0, max: 2 },
        { min: 5, max: 6 },
      ],
    );
  });

  it('is the full one until another is known, and none without a finite number', () => {
    const full = { min: 1, max: 2 };
    const unknown = { full, clipped: undefined, own: undefined };
    assert.deepEqual([chooseRange('clipped', unknown), chooseRange('own', unknown)], [full, full]);
    assert.equal(fullRange(gatherStatistics(numbersOf(floats([Number.NaN])))), undefined);
    assert.equal(fullRange(undefined), undefined);
  });

  it('begins in colours that tell signs apart where there are both', () => {
    const diverging = { map: 'diverging', range: 'symmetric' };
    const cool = { map: 'cool', range: 'full' };
    assert.deepEqual(
      [{ min: -1, max: 1 }, { min: 0, max: 1 }, { min: -2, max: -1 }, undefined].map(suggestColours),
      [diverging, cool, cool, cool],
    );
  });

  it('is read as people and programs write numbers, or its problem is reported', () => {
    assert.deepEqual(
      [
        parseRange(' −1.5', '2e3 '),
        parseRange('-1', 'x'),
        parseRange('', '1'),
        parseRange('2', '2'),
        parseRange('0', 'Infinity'),
      ],
      [
        { ok: true, range: { min: -1.5, max: 2000 } },
        { ok: false, problem: 'The upper end is not a number: “x”.' },
        { ok: false, problem: 'The lower end is not a number: it is empty.' },
        { ok: false, problem: 'The upper end has to be greater than 2.' },
        { ok: false, problem: 'The upper end is not a number: “Infinity”.' },
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  cellOf,
  chooseAxis,
  firstSlicing,
  fitSlicing,
  indexAt,
  moveAlong,
  planeOf,
  sliceTo,
} from '../../../../client/webviews/tensor/axes.ts';
import { countElements, placeOf } from '../../../../tensor/tensor.ts';

describe('axes of a tensor', () => {
  it('begins with the last two axes, the only one as rows, none of a single value', () => {
    assert.deepEqual(
      [[], [7], [2, 3], [2, 3, 4, 5]].map(shape => firstSlicing(shape)),
      [
        { rows: undefined, columns: undefined, at: [] },
        { rows: 0, columns: undefined, at: [0] },
        { rows: 0, columns: 1, at: [0, 0] },
        { rows: 2, columns: 3, at: [0, 0, 0, 0] },
      ],
    );
  });

  it('begins with height and width of an image', () => {
    assert.deepEqual(firstSlicing([24, 32, 3], 'uint8'), { rows: 0, columns: 1, at: [0, 0, 0] });
    assert.deepEqual(firstSlicing([3, 24, 32], 'uint8'), { rows: 1, columns: 2, at: [0, 0, 0] });
    assert.deepEqual(firstSlicing([24, 32, 3], 'int32'), { rows: 1, columns: 2, at: [0, 0, 0] });
  });

  it('gives strides of the plane, also of single values and empty tensors', () => {
    const plane = { rows: 1, columns: 1, rowStride: 0, columnStride: 0, offset: 0 };
    assert.deepEqual(
      [
        planeOf([], firstSlicing([])),
        planeOf([7], firstSlicing([7])),
        planeOf([7], { rows: undefined, columns: 0, at: [0] }),
        planeOf([2, 3, 4], { rows: 2, columns: 0, at: [0, 2, 0] }),
        planeOf([2, 0], firstSlicing([2, 0])),
      ],
      [
        plane,
        { ...plane, rows: 7, rowStride: 1 },
        { ...plane, columns: 7, columnStride: 1 },
        { rows: 4, columns: 2, rowStride: 1, columnStride: 12, offset: 8 },
        { rows: 0, columns: 0, rowStride: 0, columnStride: 1, offset: 0 },
      ],
    );
  });

  it('finds the cell of every element in its plane, and the element of every cell, whatever the axes', () => {
    const shape = [2, 3, 4];
    const axes = [0, 1, 2, undefined];
    const pairs = axes.flatMap(rows => axes.map(columns => ({ rows, columns })));
    for (const pair of pairs.filter(({ rows, columns }) => rows !== columns)) {
      for (let index = 0; index < countElements(shape); index++) {
        const slicing = sliceTo(shape, { ...pair, at: [0, 0, 0] }, index);
        const cell = cellOf(shape, slicing, index);
        assert.equal(indexAt(planeOf(shape, slicing), cell), index);
        assert.deepEqual(
          [cell.row, cell.column],
          [pair.rows, pair.columns].map(axis => (axis === undefined ? 0 : placeOf(shape, index)[axis])),
        );
      }
    }
  });

  it('exchanges the axes where one is chosen that the other side has', () => {
    const slicing = { rows: 1, columns: 2, at: [0, 0, 0] };
    assert.deepEqual(
      [
        chooseAxis(slicing, 'rows', 0),
        chooseAxis(slicing, 'rows', 2),
        chooseAxis(slicing, 'columns', 1),
        chooseAxis({ rows: 0, columns: undefined, at: [0] }, 'columns', 0),
        chooseAxis({ rows: 0, columns: undefined, at: [0] }, 'rows', undefined),
      ],
      [
        { rows: 0, columns: 2, at: [0, 0, 0] },
        { rows: 2, columns: 1, at: [0, 0, 0] },
        { rows: 2, columns: 1, at: [0, 0, 0] },
        { rows: undefined, columns: 0, at: [0] },
        { rows: undefined, columns: 0, at: [0] },
      ],
    );
  });

  it('moves along a hidden axis, and goes where an element is only if it is elsewhere', () => {
    const slicing = { rows: 1, columns: 2, at: [0, 0, 0] };
    assert.deepEqual(moveAlong(slicing, 0, 1), { rows: 1, columns: 2, at: [1, 0, 0] });
    assert.equal(sliceTo([2, 3, 4], slicing, 11), slicing);
    assert.deepEqual(sliceTo([2, 3, 4], slicing, 13), { rows: 1, columns: 2, at: [1, 0, 1] });
  });

  it('keeps what fits another shape and begins anew with what does not', () => {
    const slicing = { rows: 0, columns: 2, at: [0, 5, 0] };
    assert.deepEqual(
      [
        fitSlicing(slicing, [9, 9, 9]),
        fitSlicing(slicing, [9, 3, 9]),
        fitSlicing(slicing, [9, 0, 9]),
        fitSlicing(slicing, [9, 9]),
        fitSlicing({ rows: 1, columns: 1, at: [0, 0] }, [3, 4]),
        fitSlicing({ rows: undefined, columns: undefined, at: [0, 0] }, [3, 4]),
        fitSlicing({ rows: -1, columns: 7, at: [Number.NaN, 0.5] }, [3, 4]),
      ],
      [
        slicing,
        { ...slicing, at: [0, 2, 0] },
        { ...slicing, at: [0, 0, 0] },
        firstSlicing([9, 9]),
        firstSlicing([3, 4]),
        firstSlicing([3, 4]),
        firstSlicing([3, 4]),
      ],
    );
  });
});

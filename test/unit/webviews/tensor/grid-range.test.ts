import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  axisRanges,
  clampCell,
  countCells,
  moveRange,
  rectangleOf,
  singleCell,
  wholeGrid,
  type GridKey,
} from '../../../../client/webviews/tensor/grid/grid-range.ts';

const BOUNDS = { rows: 100, columns: 10, page: 20 };
const START = singleCell({ row: 50, column: 5 });

function press(key: string, modifiers: Partial<GridKey> = {}): GridKey {
  return { key, ctrlKey: false, metaKey: false, shiftKey: false, ...modifiers };
}

describe('selection of a grid', () => {
  it('moves with every key as in a spreadsheet, and stays inside', () => {
    const ctrl = { ctrlKey: true };
    const keys: readonly (readonly [GridKey, number, number])[] = [
      [press('ArrowUp'), 49, 5],
      [press('ArrowDown'), 51, 5],
      [press('ArrowLeft'), 50, 4],
      [press('ArrowRight'), 50, 6],
      [press('PageUp'), 30, 5],
      [press('PageDown'), 70, 5],
      [press('Home'), 50, 0],
      [press('End'), 50, 9],
      [press('Home', ctrl), 0, 0],
      [press('End', ctrl), 99, 9],
      [press('ArrowUp', ctrl), 0, 5],
      [press('ArrowDown', { metaKey: true }), 99, 5],
      [press('ArrowLeft', ctrl), 50, 0],
      [press('ArrowRight', ctrl), 50, 9],
    ];
    assert.deepEqual(
      keys.map(([key]) => moveRange(START, key, BOUNDS)),
      keys.map(([, row, column]) => singleCell({ row, column })),
    );
    assert.deepEqual(
      moveRange(singleCell({ row: 99, column: 9 }), press('PageDown'), BOUNDS),
      singleCell({ row: 99, column: 9 }),
    );
  });

  it('is extended with Shift, and leaves other keys alone', () => {
    assert.deepEqual(
      [
        moveRange(START, press('ArrowDown', { shiftKey: true }), BOUNDS),
        moveRange(START, press('x'), BOUNDS),
        moveRange(START, press('a'), BOUNDS),
        moveRange(START, press('a', { ctrlKey: true }), BOUNDS),
      ],
      [{ anchor: START.anchor, active: { row: 51, column: 5 } }, undefined, undefined, wholeGrid(BOUNDS)],
    );
  });

  it('is the same rectangle from whichever corner', () => {
    const corners = [
      { anchor: { row: 2, column: 7 }, active: { row: 5, column: 3 } },
      { anchor: { row: 5, column: 3 }, active: { row: 2, column: 7 } },
      { anchor: { row: 2, column: 3 }, active: { row: 5, column: 7 } },
    ];
    const rectangle = { top: 2, left: 3, bottom: 6, right: 8 };
    assert.deepEqual(corners.map(rectangleOf), [rectangle, rectangle, rectangle]);
    assert.deepEqual([countCells(rectangle), countCells(rectangleOf(wholeGrid(BOUNDS)))], [20, 1000]);
  });

  it('takes a part of the axes that are seen and one place of the others', () => {
    const rectangle = { top: 2, left: 3, bottom: 6, right: 8 };
    assert.deepEqual(axisRanges({ rows: 2, columns: 0, at: [0, 4, 0] }, rectangle), [
      { start: 3, end: 8, step: 1 },
      { start: 4, end: 5, step: 1, isIndex: true },
      { start: 2, end: 6, step: 1 },
    ]);
  });

  it('has a cell in an empty grid too', () => {
    assert.deepEqual(clampCell({ row: 5, column: -2 }, { rows: 0, columns: 0 }), { row: 0, column: 0 });
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  ACTUAL_SIZE,
  boxOf,
  clampViewport,
  describeZoom,
  extentOf,
  fitZoom,
  panBy,
  parseViewport,
  printViewport,
  reveal,
  scaleOf,
  spotAt,
  stepCell,
  stepZoom,
  zoomAt,
  type PictureSize,
  type Room,
  type Viewport,
  type Zoom,
} from '../../../../client/webviews/tensor/picture/picture-viewport.ts';

const ROOM: Room = { width: 1000, height: 600 };
const MATRIX: PictureSize = { rows: 4000, columns: 4000, least: 32 };
const IMAGE: PictureSize = { rows: 224, columns: 224, least: 1 };

function at(zoom: Zoom, left = 0, top = 0): Viewport {
  return { zoom, left, top };
}

const sizes = fc.record({
  rows: fc.integer({ min: 1, max: 5000 }),
  columns: fc.integer({ min: 1, max: 5000 }),
  least: fc.constantFrom(1, 32),
});
const rooms = fc.record({
  width: fc.integer({ min: 64, max: 1500 }),
  height: fc.integer({ min: 64, max: 1500 }),
});

describe('picture viewport', () => {
  it('fits a picture in its room by whole numbers', () => {
    const zooms = [
      MATRIX,
      IMAGE,
      { rows: 2, columns: 3, least: 32 },
      { rows: 10_000, columns: 1, least: 32 },
    ].map(size => ({ zoom: fitZoom(size, ROOM), extent: extentOf(fitZoom(size, ROOM), size) }));
    assert.deepEqual(zooms, [
      { zoom: { pixels: 1, cells: 7 }, extent: { width: 572, height: 572 } },
      { zoom: { pixels: 2, cells: 1 }, extent: { width: 448, height: 448 } },
      { zoom: { pixels: 64, cells: 1 }, extent: { width: 192, height: 128 } },
      { zoom: { pixels: 1, cells: 17 }, extent: { width: 32, height: 589 } },
    ]);
  });

  it('holds any picture in a room when it is fitted', () => {
    fc.assert(
      fc.property(sizes, rooms, (size, room) => {
        const extent = extentOf(fitZoom(size, room), size);
        assert.ok(extent.width <= room.width && extent.height <= room.height, JSON.stringify(extent));
      }),
    );
  });

  it('makes a short axis long enough to see', () => {
    assert.deepEqual(
      [1, 3, 32, 33, 4000].map(size => scaleOf({ pixels: 1, cells: 16 }, size, 32)),
      [
        { pixels: 32, cells: 1 },
        { pixels: 10, cells: 1 },
        { pixels: 1, cells: 1 },
        { pixels: 1, cells: 1 },
        { pixels: 1, cells: 16 },
      ],
    );
  });

  it('steps through the zooms and ends where all is seen', () => {
    const farthest = fitZoom(MATRIX, ROOM);
    const seen: string[] = [];
    for (let zoom = farthest, next = stepZoom(zoom, 'in', farthest); next !== zoom;) {
      seen.push(describeZoom(next));
      zoom = next;
      next = stepZoom(zoom, 'in', farthest);
    }
    assert.deepEqual(
      seen,
      '1/6× 1/4× 1/3× 1/2× 1× 2× 3× 4× 6× 8× 12× 16× 24× 32× 48× 64× 96× 128× 192×'.split(' '),
    );
    const out = (zoom: Zoom, end: Zoom): string => describeZoom(stepZoom(zoom, 'out', end));
    assert.deepEqual(
      [
        out({ pixels: 1, cells: 6 }, farthest),
        out(farthest, farthest),
        out({ pixels: 2, cells: 1 }, { pixels: 2, cells: 1 }),
        out(ACTUAL_SIZE, { pixels: 2, cells: 1 }),
      ],
      ['1/7×', '1/7×', '1×', '1×'],
    );
  });

  it('keeps the cell under the pointer when it zooms', () => {
    const point = { x: 500, y: 300 };
    const before = at({ pixels: 4, cells: 1 }, 4000, 4000);
    const spot = spotAt(before, point, MATRIX);
    const after = zoomAt(before, { pixels: 32, cells: 1 }, MATRIX, ROOM, point);
    assert.deepEqual(spot, { row: 1075, column: 1125, rows: 1, columns: 1 });
    assert.deepEqual(spotAt(after, point, MATRIX), spot);
    assert.deepEqual(zoomAt(after, { pixels: 4, cells: 1 }, MATRIX, ROOM, point), before);
  });

  it('moves no farther than to the edges', () => {
    const zoom = { pixels: 1, cells: 2 };
    assert.deepEqual(
      [
        panBy(at(zoom, 10, 10), { x: -50, y: 5 }, MATRIX, ROOM),
        panBy(at(zoom, 900, 1300), { x: 500, y: 500 }, MATRIX, ROOM),
        clampViewport(at(ACTUAL_SIZE, 90, 90), IMAGE, ROOM),
      ],
      [at(zoom, 0, 15), at(zoom, 1000, 1400), at(ACTUAL_SIZE)],
    );
  });

  it('brings a cell into sight by the shortest way', () => {
    const view = at({ pixels: 10, cells: 1 }, 1000, 1000);
    assert.equal(reveal(view, { row: 110, column: 120 }, MATRIX, ROOM), view);
    assert.deepEqual(reveal(view, { row: 99, column: 200 }, MATRIX, ROOM), at(view.zoom, 1010, 990));
    assert.deepEqual(reveal(view, { row: 3999, column: 0 }, MATRIX, ROOM), at(view.zoom, 0, 39_400));
  });

  it('knows which cells a pixel shows', () => {
    const far = at({ pixels: 1, cells: 7 });
    assert.deepEqual(
      [
        spotAt(far, { x: 1, y: 2 }, MATRIX),
        spotAt(far, { x: 571, y: 571 }, MATRIX),
        spotAt(far, { x: 572, y: 0 }, MATRIX),
        spotAt(at(ACTUAL_SIZE), { x: -1, y: 0 }, IMAGE),
      ],
      [
        { row: 14, column: 7, rows: 7, columns: 7 },
        { row: 3997, column: 3997, rows: 3, columns: 3 },
        undefined,
        undefined,
      ],
    );
  });

  it('draws a cell where its pixel is', () => {
    const views = fc.record({
      pixels: fc.integer({ min: 1, max: 64 }),
      cells: fc.integer({ min: 1, max: 64 }),
    });
    fc.assert(
      fc.property(sizes, rooms, views, fc.nat(), fc.nat(), (size, room, { pixels, cells }, down, across) => {
        const zoom = pixels > cells ? { pixels, cells: 1 } : { pixels: 1, cells };
        const cell = { row: down % size.rows, column: across % size.columns };
        const view = reveal(at(zoom), cell, size, room);
        const box = boxOf(view, cell, size);
        const spot = spotAt(view, box, size);
        assert.ok(spot, 'the cell is in sight');
        const isHeld =
          spot.row <= cell.row &&
          cell.row < spot.row + spot.rows &&
          spot.column <= cell.column &&
          cell.column < spot.column + spot.columns;
        assert.ok(isHeld, JSON.stringify({ cell, spot }));
      }),
    );
  });

  it('steps from pixel to pixel where cells share one, and stays inside', () => {
    const far: Zoom = { pixels: 1, cells: 7 };
    assert.deepEqual(
      [
        stepCell(far, { row: 10, column: 10 }, { x: 1, y: 0 }, MATRIX),
        stepCell(far, { row: 10, column: 10 }, { x: 0, y: -1 }, MATRIX),
        stepCell(ACTUAL_SIZE, { row: 223, column: 5 }, { x: 0, y: 1 }, IMAGE),
      ],
      [
        { row: 10, column: 14 },
        { row: 0, column: 10 },
        { row: 223, column: 5 },
      ],
    );
  });

  it('is stored as text, and nothing else is read', () => {
    const views = [at({ pixels: 1, cells: 7 }, 3, 4), at({ pixels: 48, cells: 1 }, 0, 12_000)];
    assert.deepEqual(views.map(printViewport), ['1:7 3 4', '48:1 0 12000']);
    assert.deepEqual(views.map(printViewport).map(parseViewport), views);
    assert.deepEqual(
      ['', 'fit', '0:1 0 0', '2:3 0 0', '1:1 0', '1:1 -1 0', '1:1 0 0 0', '1e9:1 0 0'].map(parseViewport),
      Array.from({ length: 8 }, () => undefined),
    );
  });
});

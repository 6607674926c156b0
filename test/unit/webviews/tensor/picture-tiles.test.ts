import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { PictureTiles, type Painter } from '../../../../client/webviews/tensor/picture-tiles.ts';
import {
  clampViewport,
  extentOf,
  spotAt,
  type PictureSize,
  type Room,
  type Viewport,
} from '../../../../client/webviews/tensor/picture-viewport.ts';
import { runs } from '../../../support/size.ts';

/** Paints each block with a colour that tells its first cell; counts the cells that it was asked for. */
class CellPainter implements Painter {
  readonly size: PictureSize;
  cells = 0;

  constructor(size: PictureSize) {
    this.size = size;
  }

  paint(part: Parameters<Painter['paint']>[0]): Uint8ClampedArray {
    const { row, column, rows, columns, blockRows, blockColumns } = part;
    this.cells += rows * columns;
    const colours: number[] = [];
    for (let down = row; down < row + rows; down += blockRows) {
      for (let across = column; across < column + columns; across += blockColumns)
        colours.push(colourOf({ row: down, column: across }));
    }
    return new Uint8ClampedArray(new Uint32Array(colours).buffer);
  }
}

function colourOf({ row, column }: { row: number; column: number }): number {
  return row * 5000 + column + 1;
}

function draw(tiles: PictureTiles, painter: Painter, viewport: Viewport, room: Room): Uint32Array {
  const steps = [...tiles.paint(painter, viewport, room)];
  assert.deepEqual(
    steps,
    Array.from(steps.keys(), at => steps.length - at),
  );
  const into = new Uint32Array(room.width * room.height);
  tiles.compose(painter, viewport, room, into);
  return into;
}

/** What the room shows, pixel by pixel. */
function expected({ size }: Painter, viewport: Viewport, room: Room): Uint32Array {
  return Uint32Array.from({ length: room.width * room.height }, (_, at) => {
    const point = { x: at % room.width, y: Math.floor(at / room.width) };
    const spot = spotAt(viewport, point, size);
    return spot ? colourOf(spot) : 0;
  });
}

describe('picture tiles', () => {
  it('show every cell where the viewport puts it, from any zoom and place', () => {
    const room: Room = { width: 90, height: 70 };
    const scales = fc.constantFrom(1, 2, 3, 5, 16, 40);
    const sizes = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(
        fc.record({ rows: sizes, columns: sizes, least: fc.constantFrom(1, 32) }),
        fc.array(fc.record({ scale: scales, near: fc.boolean(), left: fc.nat(3000), top: fc.nat(3000) }), {
          minLength: 1,
          maxLength: 3,
        }),
        (size, views) => {
          const tiles = new PictureTiles();
          const painter = new CellPainter(size);
          for (const { scale, near, left, top } of views) {
            const zoom = near ? { pixels: scale, cells: 1 } : { pixels: 1, cells: scale };
            const viewport = clampViewport({ zoom, left, top }, size, room);
            assert.deepEqual(draw(tiles, painter, viewport, room), expected(painter, viewport, room));
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('read only what is seen, and nothing twice', () => {
    const painter = new CellPainter({ rows: 4000, columns: 4000, least: 32 });
    const room: Room = { width: 640, height: 512 };
    const tiles = new PictureTiles();
    const zoom = { pixels: 1, cells: 1 };
    const counts = [0, 0, 64, 0].map(left => {
      const before = painter.cells;
      draw(tiles, painter, { zoom, left, top: 0 }, room);
      return painter.cells - before;
    });
    assert.deepEqual(counts, [640 * 512, 0, 64 * 512, 0]);
  });

  it('are painted anew for other colours, and show the old ones nowhere', () => {
    const tiles = new PictureTiles();
    const room: Room = { width: 64, height: 64 };
    const size: PictureSize = { rows: 64, columns: 64, least: 1 };
    const viewport: Viewport = { zoom: { pixels: 1, cells: 1 }, left: 0, top: 0 };
    const first = new CellPainter(size);
    const second = new CellPainter(size);
    draw(tiles, first, viewport, room);
    draw(tiles, second, viewport, room);
    assert.deepEqual([first.cells, second.cells], [4096, 4096]);
  });

  it('never show what belongs to another zoom while its own tiles are missing', () => {
    const tiles = new PictureTiles();
    const painter = new CellPainter({ rows: 500, columns: 500, least: 1 });
    const room: Room = { width: 100, height: 100 };
    draw(tiles, painter, { zoom: { pixels: 1, cells: 5 }, left: 0, top: 0 }, room);
    const into = new Uint32Array(room.width * room.height);
    const near: Viewport = { zoom: { pixels: 1, cells: 1 }, left: 0, top: 0 };
    assert.equal(tiles.paint(painter, near, room).next().value, 4);
    tiles.compose(painter, near, room, into);
    assert.deepEqual(extentOf(near.zoom, painter.size), { width: 500, height: 500 });
    assert.deepEqual([...new Set(into)], [0]);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  colourAt,
  paintSteps,
  partSeen,
  placePart,
  type Painter,
} from '../../../../client/webviews/tensor/picture/picture-paint.ts';
import {
  clampViewport,
  spotAt,
  type PictureSize,
  type Room,
} from '../../../../client/webviews/tensor/picture/picture-viewport.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import { runs, sized } from '../../../support/size.ts';

/** Paints each block with a colour that tells its first cell; counts the cells that it was asked for, and the most at once. */
class CellPainter implements Painter {
  readonly size: PictureSize;
  cells = 0;
  most = 0;

  constructor(size: PictureSize) {
    this.size = size;
  }

  paint(part: Parameters<Painter['paint']>[0], size: Parameters<Painter['paint']>[1]): Uint8ClampedArray {
    const { row, column, rows, columns } = part;
    this.cells += rows * columns;
    this.most = Math.max(this.most, rows * columns);
    const colours = new Uint8ClampedArray(size.height * size.width * 4).fill(255);
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++) {
        const cell = { row: row + (y * rows) / size.height, column: column + (x * columns) / size.width };
        colours.set(colourOf(cell), (y * size.width + x) * 4);
      }
    return colours;
  }
}

function colourOf({ row, column }: { row: number; column: number }): readonly [number, number, number] {
  const place = row * 5000 + column + 1;
  return [place & 255, (place >> 8) & 255, place >> 16];
}

describe('what is painted of a picture', () => {
  it('has every cell where the viewport puts it, from any zoom and place', () => {
    const room: Room = { width: 90, height: 70 };
    const scale = fc.constantFrom(1, 2, 3, 5, 16, 40);
    const side = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(
        fc.record({ rows: side, columns: side, least: fc.constantFrom(1, 32) }),
        fc.record({ scale, near: fc.boolean(), left: fc.nat(3000), top: fc.nat(3000) }),
        (size, { scale: times, near, left, top }) => {
          const zoom = near ? { pixels: times, cells: 1 } : { pixels: 1, cells: times };
          const viewport = clampViewport({ zoom, left, top }, size, room);
          const painted = runAtOnce(paintSteps(new CellPainter(size), partSeen(size, viewport, room)));
          const box = placePart(painted.part, size, viewport);
          const seen = { x: box.width / painted.width, y: box.height / painted.height };
          for (let y = 0; y < room.height; y++) {
            const [shown, wanted]: [unknown[], unknown[]] = [[], []];
            for (let x = 0; x < room.width; x++) {
              const spot = spotAt(viewport, { x, y }, size);
              // The pixel of what was painted that is drawn here.
              const from = { x: Math.floor((x - box.x) / seen.x), y: Math.floor((y - box.y) / seen.y) };
              const at = (from.y * painted.width + from.x) * 4;
              const isIn = from.x < painted.width && from.y < painted.height;
              const drawn = isIn ? [...painted.rgba.subarray(at, at + 3)] : undefined;
              shown.push(drawn, spot && colourAt(painted, spot));
              wanted.push(spot && [...colourOf(spot)], spot && colourOf(spot));
            }
            assert.deepEqual(shown, wanted);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('is what is seen and no more, some lines a step', () => {
    const painter = new CellPainter({ rows: 4000, columns: 4000, least: 32 });
    const viewport = { zoom: { pixels: 1, cells: 1 }, left: 64, top: 0 };
    const room = { width: sized(640, 320), height: sized(512, 256) };
    const part = partSeen(painter.size, viewport, room);
    const steps = [...paintSteps(painter, part)];
    const most = 2 ** 14;
    assert.deepEqual([painter.cells, painter.most <= most], [room.width * room.height, true]);
    assert.deepEqual(
      steps,
      Array.from(steps.keys(), at => (at * Math.floor(most / room.width)) / room.height),
    );
    assert.equal(colourAt(runAtOnce(paintSteps(painter, part)), { row: 0, column: 63 }), undefined);
  });
});

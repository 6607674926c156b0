import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  BOX,
  pathOf,
  placeOf,
  sizeOf,
  type Place,
} from '../../../client/webviews/timeline/graph/graph-paths.ts';

const cell = fc.record({ column: fc.nat(5), row: fc.nat(5) });
const slot = fc
  .record({ number: fc.nat(9), more: fc.nat(9) })
  .map(({ number, more }) => ({ number, of: number + more + 1 }));

/** The corners that a way names, curves by their ends and what they bend to. */
function listPlaces(way: string): readonly Place[] {
  return [...way.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

describe('lines of the call graph', () => {
  it('go straight to the next column in the same row', () => {
    const line = { from: { nodes: [], column: 0, row: 0 }, to: { nodes: [], column: 1, row: 0 } };
    const y = 12 + BOX.height * 0.4;
    assert.deepEqual(pathOf(line, { number: 0, of: 1 }), {
      way: `M156,${y}L244,${y}`,
      head: `M250,${y}l-8,-4v8z`,
      label: { x: 213, y },
      room: 'short',
    });
  });

  it('reach their box and cross no other one', () => {
    fc.assert(
      fc.property(cell, cell, slot, (from, to, place) => {
        const line = { from: { nodes: [], ...from }, to: { nodes: [], ...to } };
        const places = listPlaces(pathOf(line, place).way);
        const [first, last] = [places[0], places.at(-1)];
        assert.ok(first && last);
        const isOn = ({ y }: Place, box: { readonly column: number; readonly row: number }): boolean =>
          y > placeOf(box).y && y < placeOf(box).y + BOX.height;
        assert.ok(first.x === placeOf(from).x + BOX.width && isOn(first, from));
        assert.ok(last.x === placeOf(to).x - 6 && isOn(last, to));
        for (let at = 1; at < places.length; at++) {
          const [one, other] = [places[at - 1], places[at]];
          assert.ok(one && other);
          for (let column = 0; column <= 6; column++)
            for (let row = 0; row <= 6; row++)
              assert.ok(!crosses(one, other, placeOf({ column, row })), `${column},${row}`);
        }
        const { width, height } = sizeOf({ columns: 6, rows: 6 });
        for (const { x, y } of places) assert.ok(x >= 0 && y >= 0 && x <= width && y <= height);
      }),
    );
  });
});

/** True where the part of a way, whose corners are round within its ends, goes through a box. */
function crosses(one: Place, other: Place, { x, y }: Place): boolean {
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
  const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
  return right > x && left < x + BOX.width && bottom > y && top < y + BOX.height;
}

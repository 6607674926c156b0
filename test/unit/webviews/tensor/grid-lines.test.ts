import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  lineCovers,
  lineLength,
  lineStart,
  linesToMove,
  type Lines,
} from '../../../../client/webviews/tensor/grid/grid-lines.ts';

const LINES: Lines = { count: 100, seen: 10 };
/** Every column that can be the first one seen. */
const FIRSTS = Array.from({ length: LINES.count - LINES.seen + 1 }, (_, first) => first);

/** Scrolls lines across, so many columns a frame: the lines written in each frame, and those that had to be. */
function scroll(
  lines: number,
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: number },
): { readonly written: readonly number[]; readonly late: number } {
  const isForward = by > 0;
  const starts = Array.from({ length: lines }, () => lineStart(LINES, Math.floor(from), { isForward }));
  const written: number[] = [];
  let late = 0;
  for (let now = from + by; isForward ? now <= to : now >= to; now += by) {
    const first = Math.floor(now);
    const start = lineStart(LINES, first, { isForward });
    const uncovered = starts.filter(at => !lineCovers(LINES, at, first)).length;
    late += uncovered;
    const old = starts.filter(at => lineCovers(LINES, at, first) && at !== start);
    const due = linesToMove(old.length, LINES, old[0] ?? 0, { before: now - by, now, isForward });
    let left = due;
    for (const [line, at] of starts.entries()) {
      if (!lineCovers(LINES, at, first) || (at !== start && left-- > 0)) starts[line] = start;
      assert.ok(lineCovers(LINES, starts[line] ?? -1, first));
    }
    written.push(uncovered + due);
  }
  return { written, late };
}

describe('grid-lines', () => {
  it('begin where they hold all that is seen, wherever that is', () => {
    for (const isForward of [true, false]) {
      const starts = FIRSTS.map(first => lineStart(LINES, first, { isForward }));
      assert.deepEqual(
        FIRSTS.filter(first => !lineCovers(LINES, starts[first] ?? -1, first)),
        [],
      );
      assert.deepEqual([starts[0], starts.at(-1)], [0, LINES.count - lineLength(LINES)]);
    }
  });

  it('hold ahead what comes next in sight', () => {
    assert.deepEqual(
      [30, 31, 32, 33].map(first => [
        lineStart(LINES, first, { isForward: true }),
        lineStart(LINES, first, { isForward: false }),
      ]),
      [
        [30, 27],
        [30, 27],
        [30, 27],
        [33, 30],
      ],
    );
  });

  it('hold what is seen until their start changed twice, and nothing before they are written', () => {
    assert.deepEqual(
      FIRSTS.filter(first => lineCovers(LINES, 30, first)),
      [30, 31, 32, 33, 34, 35],
    );
    assert.equal(lineCovers(LINES, -1, 0), false);
  });

  it('are as long as the row where that is short', () => {
    const short: Lines = { count: 12, seen: 10 };
    assert.deepEqual(
      [lineLength(short), lineStart(short, 2, { isForward: true }), lineCovers(short, 0, 2)],
      [12, 0, true],
    );
    assert.equal(lineLength({ count: 0, seen: 0 }), 0);
  });

  it('are written a few in each frame, none because it ended in sight', () => {
    for (const way of [
      { from: 0, to: 80, by: 1 / 3 },
      { from: 80, to: 0, by: -1 / 3 },
    ]) {
      const { written, late } = scroll(30, way);
      assert.equal(late, 0);
      assert.ok(Math.max(...written) <= 5, `${Math.max(...written)} lines in a frame`);
      // Each line once for every three columns.
      const total = written.reduce((sum, count) => sum + count, 0);
      assert.ok(total >= 25 * 30 && total <= 27 * 30, `${total} lines`);
    }
  });

  it('are all written where the view jumps, and none where it rests', () => {
    assert.deepEqual(scroll(30, { from: 0, to: 80, by: 40 }), { written: [30, 30], late: 60 });
    assert.equal(linesToMove(30, LINES, 27, { before: 30.5, now: 30.5, isForward: true }), 0);
  });
});

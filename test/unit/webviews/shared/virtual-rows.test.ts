import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  offsetShowing,
  ScrollTrack,
  windowAt,
  windowLength,
} from '../../../../client/webviews/shared/virtual-rows.ts';

function track(content: number, view: number): ScrollTrack {
  const made = new ScrollTrack();
  made.resize(content, view);
  return made;
}

describe('virtual rows', () => {
  it('covers the view at every offset with always as many rows', () => {
    const rows = { count: 50, size: 22 };
    const view = 205;
    for (let offset = 0; offset <= rows.count * rows.size - view; offset += 7) {
      const { first, end } = windowAt(rows, view, offset);
      assert.equal(end - first, windowLength(rows, view));
      assert.ok(first * rows.size <= offset && end * rows.size >= offset + view);
    }
  });

  it('has no more rows than there are', () => {
    assert.deepEqual(
      [
        windowAt({ count: 3, size: 22 }, 500, 0),
        windowAt({ count: 0, size: 22 }, 500, 0),
        windowAt({ count: 9, size: 22 }, 0, 400),
      ],
      [
        { first: 0, end: 3 },
        { first: 0, end: 0 },
        { first: 8, end: 9 },
      ],
    );
  });

  it('scrolls no further than a row needs, and to the start of one that is larger than the view', () => {
    const rows = { count: 50, size: 20 };
    const large = { count: 50, size: 200 };
    assert.deepEqual(
      [
        offsetShowing(rows, 100, 60, 4),
        offsetShowing(rows, 100, 60, 2),
        offsetShowing(rows, 100, 60, 10),
        offsetShowing(large, 100, 60, 2),
      ],
      [60, 40, 120, 400],
    );
  });
});

describe('scroll track', () => {
  it('is the scrollbar itself where a browser can scroll so far', () => {
    const made = track(88_000, 800);
    made.followBar(1234.5);
    assert.deepEqual(
      { extent: made.extent, isCoarse: made.isCoarse, offset: made.offset, bar: made.bar },
      { extent: 88_000, isCoarse: false, offset: 1234.5, bar: 1234.5 },
    );
  });

  it('reaches both ends of a content of any length, and its middle', () => {
    const content = 352_000_000_000;
    const made = track(content, 800);
    const last = made.extent - made.view;
    const offsets = [last, last / 2, 0].map(bar => {
      made.followBar(bar);
      return made.offset;
    });
    assert.deepEqual(
      { isCoarse: made.isCoarse, offsets },
      { isCoarse: true, offsets: [content - 800, (content - 800) / 2, 0] },
    );
    assert.ok(made.extent < 16_000_000);
  });

  it('moves by pixels of the content where the scrollbar moves a little', () => {
    const made = track(352_000_000, 800);
    made.moveTo(176_000_000);
    made.followBar(made.bar + 22);
    assert.equal(made.offset, 176_000_022);
  });

  it('takes the rounding of a scrollbar that was set for no move', () => {
    const made = track(352_000_000, 800);
    made.moveTo(123_456_789);
    made.followBar(Math.round(made.bar));
    assert.equal(made.offset, 123_456_789);
  });

  it('stays inside of a content that became shorter', () => {
    const made = track(88_000, 800);
    made.moveTo(Infinity);
    const before = made.offset;
    made.resize(1000, 800);
    const shorter = made.offset;
    made.resize(100, 800);
    assert.deepEqual([before, shorter, made.offset, made.extent], [87_200, 200, 0, 800]);
  });
});

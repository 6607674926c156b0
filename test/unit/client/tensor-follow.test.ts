import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { followPlace, type OffsetChange, type Place } from '../../../client/src/window/follow.ts';

/** A change of a text, and the text after it. */
function apply(text: string, { rangeOffset, rangeLength, text: newText }: OffsetChange): string {
  return text.slice(0, rangeOffset) + newText + text.slice(rangeOffset + rangeLength);
}

function undo(place: Place, changes: readonly OffsetChange[]): Place {
  return followPlace(place, changes, { isUndo: true });
}

describe('a place that follows its text', () => {
  it('stays before edits behind it, and moves with those before it', () => {
    const rows: readonly (readonly [OffsetChange, number])[] = [
      [{ rangeOffset: 0, rangeLength: 0, text: 'ab' }, 12],
      [{ rangeOffset: 10, rangeLength: 0, text: 'ab' }, 12],
      [{ rangeOffset: 2, rangeLength: 8, text: '' }, 2],
      [{ rangeOffset: 2, rangeLength: 3, text: 'x' }, 8],
      [{ rangeOffset: 11, rangeLength: 5, text: '' }, 10],
      [{ rangeOffset: 10, rangeLength: 3, text: 'xyz' }, 10],
      [{ rangeOffset: 4, rangeLength: 20, text: 'xy' }, 6],
      [{ rangeOffset: 4, rangeLength: 20, text: 'x'.repeat(30) }, 10],
    ];
    assert.deepEqual(
      rows.map(([change]) => followPlace({ offset: 10 }, [change]).offset),
      rows.map(([, offset]) => offset),
    );
  });

  it('takes all changes of an event as of the text before them', () => {
    const changes = [
      { rangeOffset: 20, rangeLength: 0, text: 'late' },
      { rangeOffset: 6, rangeLength: 2, text: '' },
      { rangeOffset: 0, rangeLength: 0, text: 'early' },
    ];
    assert.deepEqual(followPlace({ offset: 10 }, changes), { offset: 13 });
  });

  it('comes back with its text when what removed it is undone, after what was typed elsewhere', () => {
    const place = { offset: 10 };
    const removed = followPlace(place, [{ rangeOffset: 4, rangeLength: 20, text: 'xy' }]);
    const moved = followPlace(removed, [{ rangeOffset: 0, rangeLength: 0, text: '12345' }]);
    const back = undo(moved, [{ rangeOffset: 0, rangeLength: 5, text: '' }]);
    const undone = undo(back, [{ rangeOffset: 4, rangeLength: 2, text: 'x'.repeat(20) }]);
    assert.deepEqual([back, undone], [removed, place]);
  });

  it('comes back when an event of several changes is undone', () => {
    const place = { offset: 10 };
    const removed = followPlace(place, [
      { rangeOffset: 30, rangeLength: 2, text: 'abc' },
      { rangeOffset: 8, rangeLength: 4, text: '' },
    ]);
    const undone = undo(removed, [
      { rangeOffset: 26, rangeLength: 3, text: 'xx' },
      { rangeOffset: 8, rangeLength: 0, text: 'xxxx' },
    ]);
    assert.deepEqual([removed.offset, undone], [8, place]);
  });

  it('comes back when what was typed over its text is undone, at once or word by word', () => {
    const replaced = followPlace({ offset: 10 }, [{ rangeOffset: 4, rangeLength: 20, text: 'o' }]);
    const typed = followPlace(replaced, [{ rangeOffset: 5, rangeLength: 0, text: 'ne' }]);
    const more = followPlace(typed, [{ rangeOffset: 7, rangeLength: 0, text: ' two' }]);
    const back = { rangeOffset: 4, text: 'x'.repeat(20) };
    const atOnce = undo(more, [{ ...back, rangeLength: 7 }]);
    const less = undo(more, [{ rangeOffset: 7, rangeLength: 4, text: '' }]);
    assert.deepEqual([atOnce, undo(less, [{ ...back, rangeLength: 3 }])], [{ offset: 10 }, { offset: 10 }]);
  });

  it('comes back through two removals, one inside of the other', () => {
    const inner = followPlace({ offset: 10 }, [{ rangeOffset: 8, rangeLength: 4, text: 'xy' }]);
    const outer = followPlace(inner, [{ rangeOffset: 2, rangeLength: 18, text: '' }]);
    const half = undo(outer, [{ rangeOffset: 2, rangeLength: 0, text: 'z'.repeat(18) }]);
    const undone = undo(half, [{ rangeOffset: 8, rangeLength: 2, text: 'abcd' }]);
    assert.deepEqual([half, undone], [inner, { offset: 10 }]);
  });

  it('is where its mark is, after any edit that leaves the mark, and after the edit is undone', () => {
    const text = 'abcdefghij#klmnopqrst';
    const edit = fc.record({
      rangeOffset: fc.nat(text.length),
      rangeLength: fc.nat(text.length),
      text: fc.string({ maxLength: 5, unit: fc.constantFrom('x', 'y') }),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 5 }), edits => {
        let place: Place = { offset: text.indexOf('#') };
        let now = text;
        const undoing: OffsetChange[] = [];
        for (const wanted of edits) {
          const rangeOffset = Math.min(wanted.rangeOffset, now.length);
          const rangeLength = Math.min(wanted.rangeLength, now.length - rangeOffset);
          const change = { rangeOffset, rangeLength, text: wanted.text };
          const before = now.slice(rangeOffset, rangeOffset + rangeLength);
          undoing.unshift({ rangeOffset, rangeLength: wanted.text.length, text: before });
          now = apply(now, change);
          place = followPlace(place, [change]);
          if (now.includes('#')) assert.equal(place.offset, now.indexOf('#'));
        }
        for (const change of undoing) {
          now = apply(now, change);
          place = undo(place, [change]);
          if (now.includes('#')) assert.equal(place.offset, now.indexOf('#'));
        }
        assert.equal(now, text);
      }),
    );
  });
});

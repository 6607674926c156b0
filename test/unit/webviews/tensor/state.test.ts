import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { printGridPlace, readGridPlace } from '../../../../client/webviews/tensor/grid/grid-state.ts';
import { describeMember } from '../../../../client/webviews/tensor/members.ts';
import { readState, type PageState } from '../../../../client/webviews/tensor/state.ts';

describe('what the page keeps', () => {
  const state: PageState = {
    subject: 'a',
    tab: 'bytes',
    slicing: { rows: undefined, columns: 1, at: [3, 0] },
    selected: 12,
    choices: { 'picture.map': 'grey' },
  };
  const fresh: PageState = {
    subject: '',
    tab: 'grid',
    slicing: { rows: undefined, columns: undefined, at: [] },
    selected: 0,
    choices: {},
  };

  it('is read back as it was, through JSON', () => {
    const stored: unknown = JSON.parse(JSON.stringify(state));
    assert.deepEqual(readState(stored), state);
  });

  it('begins anew where it is missing or wrong', () => {
    const wrong = {
      subject: 7,
      tab: 'chart',
      slicing: { rows: -1, at: 'x' },
      selected: 1.5,
      choices: { a: 1, b: 'c' },
    };
    assert.deepEqual([undefined, null, 'x', [], wrong].map(readState), [
      fresh,
      fresh,
      fresh,
      fresh,
      { ...fresh, choices: { b: 'c' } },
    ]);
    assert.deepEqual(readState({ ...state, slicing: { rows: 1.5, columns: 0, at: [1, -1, 'x'] } }).slicing, {
      rows: undefined,
      columns: 0,
      at: [1, 0, 0],
    });
  });

  it('holds the place of the grid for its own tensor only', () => {
    const place = { left: 10.5, top: 3e9, anchor: { row: 4, column: 2 } };
    const stored = printGridPlace('a', place);
    assert.deepEqual(
      [
        readGridPlace(stored, 'a'),
        readGridPlace(stored, 'b'),
        readGridPlace(undefined, 'a'),
        readGridPlace('{', 'a'),
        readGridPlace(printGridPlace('a', { ...place, top: -1 }), 'a'),
        readGridPlace('a\n10 20 x 0', 'a'),
      ],
      [place, undefined, undefined, undefined, undefined, undefined],
    );
  });
});

describe('members of a file', () => {
  it('are named with their type, and with what is wrong', () => {
    assert.deepEqual(
      [
        describeMember({ name: 'w', dtype: 'float32', shape: [3, 4] }),
        describeMember({ name: 'scale', dtype: 'float32', shape: [] }),
        describeMember({ name: 'b', dtype: 'F4', shape: [2], problem: 'F4 is no type that is known' }),
      ],
      ['w · float32 3×4', 'scale · float32', 'b · F4 2 · F4 is no type that is known'],
    );
  });
});

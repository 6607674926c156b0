import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CONVERT, CONVERTED_AT } from '../../../wire/conversion-requests.ts';
import { isWireRange } from '../../../wire/places.ts';

const RANGE = { start: { line: 0, character: 0 }, end: { line: 1, character: 2 } };

describe('messages about conversions', () => {
  it('ask for a document, a part of it or a text, and for one of them', () => {
    const right = { source: { uri: 'file:///a.aicl' }, to: 'mcp', layout: 'pretty' };
    const withSource = (source: unknown): unknown => ({ ...right, source });
    const all = [
      right,
      withSource({ uri: 'x', range: RANGE, from: 'aicl' }),
      withSource({ text: '' }),
      withSource({ text: '{}', from: 'json' }),
      { ...right, layout: 'compact', keepAs: 'view' },
      { ...right, layout: 'fitting' },
    ];
    const wrong = [
      ...[undefined, null, 7, {}, [right], withSource(null), withSource([]), withSource({})],
      ...[withSource({ uri: 'x', text: '' }), withSource({ uri: 7 }), withSource({ text: 7 })],
      ...[withSource({ uri: 'x', range: 7 }), withSource({ text: '', range: RANGE })],
      ...[withSource({ uri: 'x', from: 'soap' }), { ...right, to: 'soap' }, { ...right, layout: 'wide' }],
      ...[
        { ...right, layout: undefined },
        { ...right, keepAs: 7 },
      ],
    ];
    assert.deepEqual(
      all.map(CONVERT.isParams),
      all.map(() => true),
    );
    assert.deepEqual(
      wrong.map(CONVERT.isParams),
      wrong.map(() => false),
    );
  });

  it('ask for a place of one side', () => {
    const right = { keptAs: 'view', side: 'source', range: RANGE };
    const wrong = [undefined, { ...right, side: 'both' }, { ...right, keptAs: 7 }, { ...right, range: {} }];
    assert.deepEqual([right, { ...right, side: 'result' }].map(CONVERTED_AT.isParams), [true, true]);
    assert.deepEqual(
      wrong.map(CONVERTED_AT.isParams),
      wrong.map(() => false),
    );
  });

  it('have ranges of two positions', () => {
    const wrong = [null, 7, {}, { start: RANGE.start }, { ...RANGE, end: { line: 1 } }, { ...RANGE, end: 7 }];
    assert.equal(isWireRange(RANGE), true);
    assert.deepEqual(
      wrong.map(isWireRange),
      wrong.map(() => false),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describePause } from '../../../client/src/features/replies/pause-words.ts';
import { readReplyCall, writeReplyQuery } from '../../../client/src/replies/reply-query.ts';

describe('paused replies', () => {
  it('say how much has come and is not shown', () => {
    assert.deepEqual(
      (['paused', 'held'] as const).map(state =>
        [0, 1, 1200].map(waiting => describePause({ state, waiting })),
      ),
      [
        ['paused', 'paused, 1 more character', 'paused, 1200 more characters'],
        [
          'paused, the reply has ended',
          'paused, 1 more character to the end',
          'paused, 1200 more characters to the end',
        ],
      ],
    );
  });
});

describe('queries of replies', () => {
  it('name the call where it is known', () => {
    assert.deepEqual(
      [undefined, '', '00f067aa0ba902b7'].map(call => readReplyCall(writeReplyQuery(7, call))),
      [undefined, undefined, '00f067aa0ba902b7'],
    );
  });
});

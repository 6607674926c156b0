import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { describeOutcome, formatDuration } from '../../../trace/words.ts';

describe('words of the traces', () => {
  it('writes durations in two units at most', () => {
    const cases = [-1, 0, 0.4, 41.2, 999.4, 999.6, 1240, 9994, 9995, 59_949, 59_950, 125_000];
    assert.deepEqual(cases.map(formatDuration), [
      '0 ms',
      '0 ms',
      '0 ms',
      '41 ms',
      '999 ms',
      '1.00 s',
      '1.24 s',
      '9.99 s',
      '10.0 s',
      '59.9 s',
      '1 min 0 s',
      '2 min 5 s',
    ]);
    const hour = 3_600_000;
    assert.deepEqual([hour, 26 * hour, 999 * 24 * hour, 1001 * 24 * hour, 1e300].map(formatDuration), [
      '1 h 0 min',
      '1 d 2 h',
      '999 d 0 h',
      '1001 d',
      '1.16e+292 d',
    ]);
  });

  it('says how a call ended, with its code and its time', () => {
    const ended = { code: undefined, duration: 41 } as const;
    assert.deepEqual(
      [
        describeOutcome({ ...ended, status: 'ok' }),
        describeOutcome({ ...ended, status: 'error', code: '500' }),
        describeOutcome({ ...ended, status: 'cancelled', code: 'CANCELLED', duration: undefined }),
        describeOutcome({ ...ended, status: 'incomplete', code: 'ECONNRESET' }),
      ],
      ['ok · 41 ms', 'error 500 · 41 ms', 'stopped', 'incomplete ECONNRESET · 41 ms'],
    );
  });

  it('counts the chunks of a reply that still comes', () => {
    const open = { status: 'open', code: undefined, duration: undefined } as const;
    assert.deepEqual(
      [0, 1, 2].map(piecesIn => describeOutcome({ ...open, traffic: { piecesIn } })),
      ['running', 'running', 'streaming, 2 chunks'],
    );
  });
});

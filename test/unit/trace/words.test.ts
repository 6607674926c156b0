import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WireEvent } from '../../../protocol/src/trace/events.ts';
import { describeOutcome, formatDuration } from '../../../protocol/src/trace/words.ts';

describe('words of the traces', () => {
  it('writes durations with at most three digits', () => {
    const cases = [-1, 0, 0.4, 41.2, 999.4, 999.6, 1240, 9994, 9995, 59_949, 59_950, 125_000, 3_600_000];
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
      '60 min 0 s',
    ]);
  });

  it('says how a call ended, with its code and its time', () => {
    const ended = { code: undefined, duration: 41, wire: [] } as const;
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
    const chunk: WireEvent = { type: 'wire', call: 'c', at: 1, direction: 'in', bytes: { text: 'x' } };
    const request: WireEvent = { ...chunk, direction: 'out' };
    const open = { status: 'open', code: undefined, duration: undefined } as const;
    assert.deepEqual(
      [[request], [request, chunk], [request, chunk, chunk]].map(wire => describeOutcome({ ...open, wire })),
      ['running', 'running', 'streaming, 2 chunks'],
    );
  });
});

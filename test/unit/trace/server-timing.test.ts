import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readServerTime } from '../../../core/events/server-timing.ts';
import { sized } from '../../support/size.ts';

describe('the time that a server says it took', () => {
  for (const [values, time] of [
    [['total;dur=123.4'], 123.4],
    [['db;dur=53, app;dur=47.2'], 53],
    [['db;dur=53, Total;dur=40'], 40],
    [['db;dur=53', 'total; desc="a, b;dur=9"; dur="70"'], 70],
    [['missedCache'], undefined],
    [['total;dur=-1, total;dur=1e999, total;dur=x'], undefined],
    [[''], undefined],
    [['x'.repeat(sized(20_000_000)), 'total;dur=7'], 7],
    [[], undefined],
  ] as const)
    it(`of ${JSON.stringify(values).slice(0, 80)} is ${time}`, () => {
      const headers = values.map(value => ({ name: 'Server-Timing', value }));
      assert.equal(readServerTime([{ name: 'x-other', value: 'total;dur=5' }, ...headers]), time);
    });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SessionClock } from '../../../client/src/features/agents/session-clock.ts';

describe('the clock of sessions', () => {
  it('calls a session idle 30 seconds after its last traffic, the newest first', () => {
    const clock = new SessionClock();
    clock.note('a', 's1', 1_000);
    clock.note('a', 's2', 2_000);
    clock.note('b', 's1', 9_000);
    assert.deepEqual(
      [30_999, 31_000, 32_000].map(now => clock.listIdle('a', now).map(({ name }) => name)),
      [[], ['s1'], ['s2', 's1']],
    );
    assert.deepEqual([clock.listIdle('b', 38_999), clock.listIdle('c', 99_000)], [[], []]);
    assert.deepEqual(clock.listIdle('b', 39_000), [{ name: 's1', since: 9_000 }]);
  });

  it('begins anew with traffic, also with an event that comes late', () => {
    const clock = new SessionClock();
    clock.note('a', 's1', 1_000);
    clock.note('a', 's1', 20_000);
    clock.note('a', 's1', 10_000);
    assert.deepEqual(clock.listIdle('a', 49_999), []);
    assert.deepEqual(clock.listIdle('a', 50_000), [{ name: 's1', since: 20_000 }]);
    clock.clear();
    assert.deepEqual(clock.listIdle('a', 50_000), []);
  });

  it('says when the next session becomes idle', () => {
    const clock = new SessionClock();
    assert.equal(clock.findNext(0), undefined);
    clock.note('a', 's1', 1_000);
    clock.note('b', 's2', 5_000);
    assert.deepEqual(
      [0, 31_000, 34_999, 35_000].map(now => clock.findNext(now)),
      [31_000, 35_000, 35_000, undefined],
    );
  });

  it('remembers a number of sessions, those with the newest traffic', () => {
    const clock = new SessionClock();
    for (let count = 0; count < 60; count++) clock.note('a', `s${count}`, count);
    clock.note('a', 's10', 100);
    const names = clock.listIdle('a', 99_000).map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [50, 's10', 's11']);
  });
});

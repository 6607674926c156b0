import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { now } from '../../agents/runtime.ts';

describe('the clock of the events', () => {
  const wall = Date.now;
  afterEach(() => {
    Date.now = wall;
    now();
  });

  it('does not go backwards, and agrees with the wall clock', () => {
    const times = Array.from({ length: 1_000 }, now);
    assert.deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    );
    assert.ok(Math.abs(now() - Date.now()) < 1_000);
  });

  for (const [title, jump] of [
    ['a computer that slept for eight hours', 8 * 3_600_000],
    ['a wall clock that was set back by a minute', -60_000],
  ] as const)
    it(`follows ${title}`, () => {
      Date.now = () => wall() + jump;
      assert.ok(Math.abs(now() - Date.now()) < 1_000);
      assert.ok(now() <= now());
    });

  it('ignores that the wall clock is adjusted by a part of a second', () => {
    const before = now();
    Date.now = () => wall() - 900;
    assert.ok(now() >= before);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import inWorker, { ok } from '../../host/runner/assert-in-worker.ts';

class Point {
  readonly x = 1;
}

const VALUES: readonly unknown[] = [
  undefined,
  null,
  0,
  -0,
  NaN,
  1,
  '',
  '1',
  true,
  [],
  [1],
  [1, 2],
  [[1], 2],
  {},
  { x: 1 },
  { x: 1, y: undefined },
  { x: [1] },
  new Point(),
  new Map([['x', 1]]),
  new Map([['x', 2]]),
  new Set(['x']),
  new Set(['y']),
];

/** Equal values that are other objects. */
const COPIES = VALUES.map(value => structuredClone(value instanceof Point ? undefined : value));

function throws(run: () => void): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

describe('assertions in the web worker host', () => {
  for (const name of ['equal', 'deepEqual'] as const) {
    it(`${name} fails where Node's does, and nowhere else`, () => {
      const different: unknown[] = [];
      for (const one of [...VALUES, ...COPIES])
        for (const other of VALUES)
          if (throws(() => inWorker[name](one, other)) !== throws(() => assert[name](one, other)))
            different.push([one, other]);
      assert.deepEqual(different, []);
    });
  }

  it('says both values and the reason', () => {
    assert.throws(
      () => inWorker.deepEqual({ x: 1 }, { x: 2 }, 'why'),
      /^Error: why\nactual: [^]*1[^]*expected: [^]*2/,
    );
    assert.throws(() => inWorker.match('a', /b/), /does not match/);
    assert.throws(() => ok(0, 'no'), /no/);
    inWorker.match('ab', /b/);
    ok(1);
  });

  it('waits for what has to be rejected', async () => {
    const fail = (): Promise<void> => Promise.reject(new Error('no room'));
    await inWorker.rejects(fail, /no room/);
    await assert.rejects(inWorker.rejects(fail, /other/));
    await assert.rejects(inWorker.rejects(() => Promise.resolve(), /no room/));
  });
});

import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Throttle } from '../../../client/src/base/throttle.ts';

describe('throttle', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('runs at once, then every 300 ms while something asks, and once after the last', () => {
    const runs: number[] = [];
    let now = 0;
    const throttle = new Throttle(() => runs.push(now));
    for (; now <= 1000; now += 20) {
      throttle.request();
      mock.timers.tick(20);
    }
    now = 2000;
    mock.timers.tick(2000);
    now = 4000;
    mock.timers.tick(2000);
    throttle.request();
    assert.deepEqual(runs, [0, 280, 580, 880, 2000, 4000]);
  });

  it('runs no more once it is disposed of', () => {
    let runs = 0;
    const throttle = new Throttle(() => (runs += 1));
    throttle.request();
    throttle.request();
    throttle.dispose();
    mock.timers.tick(1000);
    assert.equal(runs, 1);
  });

  it('runs nothing while other work lasts, and then what was asked for', async () => {
    let runs = 0;
    const throttle = new Throttle(() => (runs += 1));
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = throttle.hold(promise);
    throttle.request();
    mock.timers.tick(1000);
    assert.equal(runs, 0);
    resolve();
    await held;
    assert.equal(runs, 1);
  });

  it('waits five seconds for work that never ends, and passes on its error', async () => {
    let runs = 0;
    const throttle = new Throttle(() => (runs += 1));
    const held = throttle.hold(new Promise(() => undefined));
    throttle.request();
    mock.timers.tick(5_000);
    await held;
    assert.equal(runs, 1);
    await assert.rejects(throttle.hold(Promise.reject(new Error('no row'))), /no row/);
  });
});

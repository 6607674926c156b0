import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { PacedWork } from '../../../../client/webviews/timeline/paced-work.ts';

/** Does nothing for some milliseconds. */
function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Waits until the page was free once more. */
function rest(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve));
}

describe('work in paced steps', () => {
  // Node has no frames.
  before(() => {
    Object.assign(globalThis, { requestAnimationFrame: setTimeout, cancelAnimationFrame: clearTimeout });
  });
  after(() => {
    Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
    Reflect.deleteProperty(globalThis, 'cancelAnimationFrame');
  });

  it('is over at once where it is short', () => {
    const done: string[] = [];
    const work = new PacedWork(
      function* () {
        yield;
        done.push('work');
      },
      state => done.push(state),
    );
    work.now();
    assert.deepEqual(done, ['work', 'done']);
  });

  it('lets others run between its slices, and is done once more where that was asked for meanwhile', async () => {
    const done: string[] = [];
    let runs = 0;
    const work = new PacedWork(
      function* () {
        const run = ++runs;
        // Each of these is more than a slice.
        for (let step = 0; step < (run === 1 ? 4 : 0); step++) {
          spend(8);
          yield;
        }
        done.push(`work ${run}`);
      },
      state => done.push(state),
    );
    work.now();
    work.ask();
    work.ask();
    let rests = 0;
    for (; !done.includes('work 2'); rests++) await rest();
    assert.deepEqual([done, runs], [['working', 'work 1', 'done', 'work 2', 'done'], 2]);
    assert.ok(rests > 3, `${rests} rests`);
  });

  it('begins anew where it is wanted at once, and drops what it did', async () => {
    const done: string[] = [];
    let wanted = 'one';
    const work = new PacedWork(
      function* () {
        const what = wanted;
        for (let step = 0; step < 3; step++) {
          spend(8);
          yield;
        }
        done.push(what);
      },
      () => undefined,
    );
    work.now();
    await rest();
    wanted = 'other';
    work.now();
    while (done.length === 0) await rest();
    for (let more = 0; more < 10; more++) await rest();
    assert.deepEqual(done, ['other']);
  });
});

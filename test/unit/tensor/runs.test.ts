import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { partOf, readRuns, runsOf } from '../../../tensor/runs.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { countReads, doubles } from './support/reads.ts';

describe('the runs in which a tensor is read', () => {
  it('are all of it, or a sample of exactly the asked size, in order, twice the same', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(25_000), (length, most) => {
        const runs = [...runsOf(length, most)];
        const ends = [0, ...runs.map(({ to }) => to)];
        assert.deepEqual(
          {
            looked: runs.reduce((sum, { from, to }) => sum + to - from, 0),
            disordered: runs.filter(
              ({ from, to }, at) => from < (ends[at] ?? 0) || to <= from || to > length,
            ),
            again: [...runsOf(length, most)],
          },
          { looked: Math.min(length, most), disordered: [], again: runs },
        );
      }),
    );
  });

  it('of a sample are spread over all: each tenth has a tenth of them', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const { from, to } of runsOf(10_000_000, 100_000))
      for (let index = from; index < to; index++) {
        const tenth = Math.floor(index / 1_000_000);
        tenths[tenth] = (tenths[tenth] ?? 0) + 1;
      }
    assert.equal(
      tenths.reduce((sum, count) => sum + count),
      100_000,
    );
    assert.deepEqual(
      tenths.filter(count => Math.abs(count - 10_000) > 512),
      [],
    );
  });

  it('of a sample do not go with a period of the data', () => {
    // At even distances, a power of two, all 64 would lie in the same half of the period.
    let hits = 0;
    for (const { from } of runsOf(1 << 22, 1 << 14)) hits += Math.floor(from / 4_096) % 2;
    assert.ok(hits > 16 && hits < 48, `${hits} of 64`);
  });

  it('are read once each, and tell how far they are', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => index);
    const source = countReads(doubles(values));
    const taken: number[] = [];
    const steps = readRuns(source, (numbers, length, firstIndex) => {
      assert.equal(numbers[0], firstIndex);
      taken.push(...numbers.subarray(0, length));
    });
    const shares: number[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) shares.push(step.value);
    assert.deepEqual(
      { looked: step.value, taken, read: source.indexes, shares },
      { looked: 10_000, taken: values, read: values, shares: [0.4096, 0.8192, 1] },
    );
  });

  it('have steps that stand for a part of a larger work', () => {
    const part = partOf(
      readRuns(doubles(new Array<number>(8_192).fill(0)), () => {}),
      { from: 0.5, to: 0.75 },
    );
    assert.deepEqual([...part], [0.625, 0.75]);
    assert.equal(runAtOnce(readRuns(doubles([1, 2, 3]), () => {})), 3);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runInSlices } from '../../../../client/webviews/shared/slices.ts';
import { SHARES, summarise, type Summary } from '../../../../client/webviews/tensor/summary-work.ts';
import { numbersOf } from '../../../../tensor/numbers.ts';
import { findQuantiles } from '../../../../tensor/quantiles.ts';
import { gatherStatistics } from '../../../../tensor/statistics.ts';

function* count(to: number): Generator<number, string> {
  for (let at = 1; at <= to; at++) yield at / to;
  return 'done';
}

describe('work in slices', () => {
  it('begins later, goes to its end, and tells it', async () => {
    const reported: string[] = [];
    const end = new Promise<void>(resolve => {
      runInSlices(count(10_000), {
        onEnd: result => {
          reported.push(result);
          resolve();
        },
      });
    });
    reported.push('started');
    await end;
    assert.deepEqual(reported, ['started', 'done']);
  });

  it('tells nothing more once it was stopped, also from its own progress', async () => {
    const reported: string[] = [];
    const early = runInSlices(count(10), { onEnd: result => void reported.push(result) });
    early.stop();
    const shares: number[] = [];
    const endless = (function* (): Generator<number, string> {
      for (;;) yield 0.5;
    })();
    await new Promise<void>(resolve => {
      const work = runInSlices(endless, {
        onProgress: share => {
          shares.push(share);
          work.stop();
          setTimeout(resolve, 50);
        },
        onEnd: result => void reported.push(result),
      });
    });
    assert.deepEqual({ told: reported, shares }, { told: [], shares: [0.5] });
  });
});

describe('summary of a tensor', () => {
  it('is exact at once where the tensor is small', () => {
    const values = new Float32Array([1, 2, Number.NaN, 4]);
    const numbers = numbersOf({ dtype: 'float32', shape: [4], bytes: new Uint8Array(values.buffer) });
    const summaries: Summary[] = [];
    summarise(numbers, summary => void summaries.push(summary));
    assert.deepEqual(summaries, [
      {
        statistics: gatherStatistics(numbers),
        quantiles: findQuantiles(numbers, SHARES),
        progress: undefined,
      },
    ]);
  });

  it('is of a sample first, and of all in the end', async () => {
    const values = Float32Array.from({ length: 300_000 }, (_, at) => Math.sin(at) * at);
    const numbers = numbersOf({ dtype: 'float32', shape: [300_000], bytes: new Uint8Array(values.buffer) });
    const summaries: Summary[] = [];
    await new Promise<void>(resolve => {
      summarise(numbers, summary => {
        summaries.push(summary);
        if (summary.progress === undefined) resolve();
      });
    });
    const [first] = summaries;
    assert.deepEqual(first?.statistics, gatherStatistics(numbers, 16_384));
    assert.deepEqual(summaries.at(-1), {
      statistics: gatherStatistics(numbers),
      quantiles: findQuantiles(numbers, SHARES),
      progress: undefined,
    });
  });
});

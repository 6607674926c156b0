import { availableParallelism } from 'node:os';
import { describe, it } from 'mocha';
import { killRecording, killTap } from '../../cli/support/kill-recording.ts';

describe('the file of a recording that is killed while all processors have other work', function () {
  const workers = availableParallelism();

  for (const [what, kill] of [
    ['an address', killRecording],
    ['a process', killTap],
  ] as const) {
    it(`has each of many small calls of ${what} that ended more than a second before`, async function () {
      if (process.platform === 'win32') this.skip();
      await kill({ size: 100, callers: 4, workers, turns: 200, least: 50 });
    });

    it(`has each large one of ${what}`, async function () {
      if (process.platform === 'win32') this.skip();
      await kill({ size: 4_000_000, callers: 4, workers, turns: 4, least: 2 });
    });
  }
});

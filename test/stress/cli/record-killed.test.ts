import { availableParallelism } from 'node:os';
import { describe, it } from 'mocha';
import { killRecording } from '../../cli/support/kill-recording.ts';

describe('the file of a recording that is killed while all processors have other work', function () {
  const workers = availableParallelism();

  it('has each of many small calls that ended more than a second before', async function () {
    if (process.platform === 'win32') this.skip();
    await killRecording({ size: 100, callers: 4, workers, turns: 200, least: 50 });
  });

  it('has each large one', async function () {
    if (process.platform === 'win32') this.skip();
    await killRecording({ size: 4_000_000, callers: 4, workers, turns: 4, least: 2 });
  });
});

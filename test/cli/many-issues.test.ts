import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

describe('parley check of more issues than are listed', () => {
  it('fails for an error behind the limit, in both languages', async () => {
    const folder = await CliFolder.create({
      'warned.aicf': 'CALL|t|\\x\n'.repeat(1_001),
      'wrong.aicf': `${'CALL|t|\\x\n'.repeat(1_001)}NO|x\nlist\n`,
      'warned.aicl': '[s:a]\n'.repeat(1_001),
      'wrong.aicl': `${'[s:a]\n'.repeat(1_001)}[x:a]\n`,
    });
    const ends: Record<string, number> = {};
    for (const name of ['warned.aicf', 'wrong.aicf', 'warned.aicl', 'wrong.aicl']) {
      const { exitCode, out } = await folder.run(['check', name]);
      assert.match(out, /more issues from here on/);
      ends[name] = exitCode;
    }
    assert.deepEqual(ends, { 'warned.aicf': 0, 'wrong.aicf': 1, 'warned.aicl': 0, 'wrong.aicl': 1 });
  });
});

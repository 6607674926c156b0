import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CLI } from '../support/built-cli.ts';
import { CliFolder } from './support/run-cli.ts';
import { serve } from './support/serve.ts';

describe('a command whose output is not read', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({});
  });
  after(() => folder.remove());

  it('ends in order when the results are no longer read: the trace is complete', async () => {
    let sendMore: () => void = () => undefined;
    const { url, close } = await serve((_body, response) => {
      response.write('STREAM|1\n');
      sendMore = () => {
        const timer = setInterval(() => response.write('STREAM|2\n'), 5);
        response.on('close', () => clearInterval(timer));
      };
    });
    await folder.write(
      'pipe.json',
      JSON.stringify({ agents: { pipe: { protocol: 'aicf', type: 'http', url } } }),
    );
    await folder.write('pipe.aicf', 'LIST\nLIST\n');
    const words = ['send', 'pipe.aicf', '--agents', 'pipe.json', '--trace', 'pipe.jsonl'];
    const child = spawn(process.execPath, ['--no-warnings', CLI, ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => {
      child.stdout.destroy();
      sendMore();
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [exitCode] = (await once(child, 'close')) as [number | null];
    const lines = (await readFile(join(folder.path, 'pipe.jsonl'), 'utf8')).trimEnd().split('\n');
    const events = lines.map(line => JSON.parse(line) as Record<string, unknown>);
    assert.match(err, /\npipe LIST: cancelled: [^\n]+\n$/);
    assert.deepEqual(
      [exitCode, events.filter(event => event['type'] === 'call').length, events.at(-1)?.['status']],
      [1, 1, 'cancelled'],
    );
    await close();
  });

  it('exits 2 where its results cannot be written, as on a full disk', function () {
    // Only Linux has a file that is always full.
    if (process.platform !== 'linux') this.skip();
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', CLI, 'explain', '2001'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.deepEqual([status, stderr], [2, 'parley: the results cannot be written (ENOSPC)\n']);
  });
});

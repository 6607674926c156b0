import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { LONG, RunOnFullDisk, withoutCounts, wordsOf } from './support/full-disk.ts';
import { parseTraceFile } from '../support/at-once.ts';
import { CliFolder } from './support/run-cli.ts';

describe('parley record on a disk that is full', () => {
  let folder: CliFolder;
  let agent: Server;
  let url = '';
  before(function () {
    // Elsewhere the limit of a running process cannot be lifted.
    if (process.platform !== 'linux') this.skip();
  });
  before(async () => {
    folder = await CliFolder.create({});
    agent = createServer((request, response) => {
      request.resume().on('end', () => response.end(request.url === '/long' ? LONG : 'short'));
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  });
  after(async () => {
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  });

  for (const guard of [[], ['--guard']])
    it(`says so at once, when there is room again, and in the end${guard.length > 0 ? ', guarded' : ''}`, async () => {
      const path = join(folder.path, `full${guard.join('')}.agenttrace.jsonl`);
      const words = ['record', '--listen', '0', '--to', url, '--out', path, '--format', 'json', ...guard];
      const recording = new RunOnFullDisk(words, folder.path);
      const { begun, over, end } = wordsOf(path);
      const ended = recording.ended();
      await recording.observed(() => recording.out.endsWith('\n'));
      const { recordings } = JSON.parse(recording.out) as { recordings: { address: string }[] };
      const address = recordings[0]?.address.replace(/\/$/, '') ?? '';
      const call = async (name: string): Promise<number> =>
        (await (await fetch(`${address}/${name}`)).text()).length;

      const passed = [await call('long')];
      await recording.observed(() => recording.err.includes('\n'));
      assert.equal(recording.err, begun);
      passed.push(await call('long'));
      recording.freeSpace();
      passed.push(await call('short'));
      await recording.observed(() => recording.err.includes('again'));
      passed.push(await call('short'));
      recording.child.kill('SIGINT');
      assert.deepEqual([await ended, passed], [1, [LONG.length, LONG.length, 5, 5]]);
      assert.equal(withoutCounts(recording.err), begun + over + end);
      const { events } = parseTraceFile(await readFile(path, 'utf8'));
      const last = events.slice(-5).map(event => (event.type === 'call' ? event.title : event.type));
      assert.deepEqual(last, ['GET /short', 'head', 'head', 'wire', 'end']);
    });

  it('says so at once beside a process, whose exit code stays its own', async () => {
    const path = join(folder.path, 'process.agenttrace.jsonl');
    const script = `process.stdin.on('data', () => process.stdout.write('x'.repeat(${LONG.length}) + '\\n')).on('end', () => process.exit(7));`;
    const words = ['record', '--out', path, '--', process.execPath, '-e', script];
    const recording = new RunOnFullDisk(words, folder.path);
    const { begun, end } = wordsOf(path);
    const ended = recording.ended();
    recording.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await recording.observed(() => recording.err.includes('\n'));
    assert.equal(recording.err, begun);
    recording.child.stdin.end();
    assert.deepEqual(
      [await ended, recording.out.length, withoutCounts(recording.err)],
      [7, LONG.length + 1, begun + end],
    );
  });
});

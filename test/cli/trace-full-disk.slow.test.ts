import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { LONG, RunOnFullDisk, withoutCounts, wordsOf } from './support/full-disk.ts';
import { CliFolder } from './support/run-cli.ts';

/** Two requests that were recorded, with their replies. */
const RECORDED = [
  '{"format":"agenttrace","version":1}',
  ...[`OK|${LONG}`, 'OK|2'].flatMap((reply, index) => [
    `{"type":"call","call":"c${index}","trace":"t","at":${1000 + index * 10},"agent":"a","protocol":"aicf","title":"f"}`,
    `{"type":"wire","call":"c${index}","at":${1001 + index * 10},"direction":"out","bytes":{"text":"CALL|f|${index}"}}`,
    `{"type":"wire","call":"c${index}","at":${1002 + index * 10},"direction":"in","bytes":{"text":"${reply}"}}`,
    `{"type":"end","call":"c${index}","at":${1003 + index * 10},"status":"ok"}`,
  ]),
  '',
].join('\n');

describe('a trace that a command writes to a disk that is full', () => {
  let folder: CliFolder;
  let agent: Server;
  /** The reply to the second request, which waits until it was asked for. */
  let second = Promise.withResolvers<ServerResponse>();
  before(function () {
    // Elsewhere there is no such limit.
    if (process.platform !== 'linux') this.skip();
  });
  before(async () => {
    agent = createServer((request, response) => {
      response.setHeader('content-type', 'text/plain');
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        if (body.includes('CALL|f|0')) response.end(`OK|${LONG}`);
        else if (body.includes('CALL|f|1')) second.resolve(response);
        else response.end('OK|1');
      });
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
    folder = await CliFolder.create({
      '.vscode/agents.json': JSON.stringify({ agents: { a: { protocol: 'aicf', type: 'http', url } } }),
      'two.aicf': 'CALL|f|0\nCALL|f|1\n',
      'two.agenttrace.jsonl': RECORDED,
    });
  });
  after(async () => {
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  });

  const commands: readonly (readonly [name: string, words: readonly string[]])[] = [
    ['parley send', ['send', 'two.aicf', '--agent', 'a', '--trace']],
    ['parley trace replay', ['trace', 'replay', 'two.agenttrace.jsonl', '--agent', 'a', '--out']],
  ];
  for (const [name, words] of commands) {
    it(`is reported by ${name} at once, which exits 1 although all replies are ok`, async () => {
      const path = join(folder.path, `${words[0]}-full.agenttrace.jsonl`);
      second = Promise.withResolvers();
      const run = new RunOnFullDisk([...words, path], folder.path);
      const { begun, end } = wordsOf(path);
      const ended = run.ended();
      await run.observed(() => run.err.includes('\n'));
      assert.equal(run.err, begun);
      (await second.promise).end('OK|2');
      assert.deepEqual([await ended, withoutCounts(run.err)], [1, begun + end]);
      assert.match(
        run.out,
        words[0] === 'send' ? /^OK\|x+\nOK\|2\n$/ : /\nThe traces are the same: 2 calls\n$/,
      );
    });

    it(`is not begun by ${name} where there is no room at all`, async () => {
      const run = await folder.run([...words, '/dev/full']);
      const message = "parley: '/dev/full' cannot be written (ENOSPC); choose another file\n";
      assert.deepEqual(run, { exitCode: 2, out: '', err: message });
    });
  }

  it('is reported by parley trace export, which ends there', async () => {
    const run = await folder.run([
      'trace',
      'export',
      'two.agenttrace.jsonl',
      '--to',
      'csv',
      '--out',
      '/dev/full',
    ]);
    const message = "parley: '/dev/full' cannot be written (ENOSPC); name another file with --out\n";
    assert.deepEqual(run, { exitCode: 2, out: '', err: message });
  });
});

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe } from 'mocha';
import { CliFolder } from './support/run-cli.ts';
import { itAtFullSize } from '../support/size.ts';

const MB = 2 ** 20;
const PIECE = Buffer.alloc(MB, 'x');
const PIECES = 224;
/** What may wait to be written, and what the system itself takes of what is under way. */
const MAX = (128 + 32) * MB;

describe('parley record --guard on a disk that is slow', () => {
  let folder: CliFolder;
  let agent: Server;
  before(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await CliFolder.create({});
    agent = createServer((request, response) => {
      request.resume();
      let left = PIECES;
      const more = (): void => {
        while (left-- > 0) if (!response.write(PIECE)) return void response.once('drain', more);
        response.end();
      };
      more();
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  });

  itAtFullSize('holds back what passes until the disk took what came before', async () => {
    const path = join(folder.path, 'pipe.agenttrace.jsonl');
    execFileSync('mkfifo', [path]);
    const interrupt = new AbortController();
    const { promise: started, resolve: start } = Promise.withResolvers<string>();
    const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
    const run = folder.run(
      ['record', '--listen', '0', '--to', url, '--guard', '--out', path, '--format', 'json'],
      { interrupt: interrupt.signal, onOut: start },
    );
    const { recordings } = JSON.parse(await started) as { recordings: { address: string }[] };
    let count = 0;
    const read = async (): Promise<void> => {
      const reply = await fetch(recordings[0]?.address ?? '');
      for await (const piece of reply.body ?? []) count += (piece as Uint8Array).length;
    };
    const done = read();
    for (let last = -1; count === 0 || count !== last;) {
      last = count;
      await new Promise(resolve => setTimeout(resolve, 500));
    }
    assert.ok(count < MAX, `${count} bytes passed`);
    const reader = spawn('cat', [path], { stdio: 'ignore' });
    await done;
    assert.equal(count, PIECES * MB);
    interrupt.abort();
    assert.equal((await run).exitCode, 0);
    reader.kill();
  });
});

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { startHttpProxy, type HttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { now } from '../../../agents/runtime.ts';
import { quote } from '../../../core/text/quote.ts';
import { until } from '../support/raw-agent.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { sized } from '../../support/size.ts';

const MB = 2 ** 20;
const SIZE = sized(48 * MB, 4 * MB);
const MAX_BEHIND = sized(2 * MB, MB / 2);
/** What the system itself takes of what is under way between a caller and a proxy that does not read. */
const ON_THE_WAY = sized(16 * MB, 2 * MB);
const NOTHING = { agent: 'a', secrets: [], secretHeaders: [] };

/** A character of four bytes at odd places, so that pieces cut it. */
const PIECE = Buffer.from(`x${'😀'.repeat(16_384)}`);

/** Chunks of all lengths, many of which are read at once. */
const CHUNKS = Array.from({ length: 4_000 }, (_, at) => Buffer.from(`${at}`.repeat(1 + (at % 50))));

function writeChunks(response: ServerResponse): void {
  for (const chunk of CHUNKS) response.write(chunk);
  response.end();
}

interface Recorded {
  readonly came: Buffer;
  readonly stored: Buffer;
  readonly notes: readonly string[];
  readonly last: string | undefined;
}

describe('the thread that records', () => {
  let folder = '';
  let agent: Server;
  let origin = '';
  let proxy: HttpProxy | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recorder-'));
    agent = createServer((request, response) => {
      request.resume();
      if (request.url === '/chunks') return writeChunks(response);
      response.setHeader('content-length', SIZE);
      let left = SIZE;
      const more = (): void => {
        while (left > 0) {
          const piece = PIECE.subarray(0, left);
          left -= piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    await proxy?.close();
    agent.closeAllConnections();
    agent.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Asks for all of the reply, and takes its time; answers what came. `count` tells how much that is so far. */
  function ask(address: string): { readonly done: Promise<Buffer>; readonly count: () => number } {
    let length = 0;
    const read = async (): Promise<Buffer> => {
      const reply = await fetch(address, { method: 'POST', body: 'LIST' });
      const pieces: Uint8Array[] = [];
      for await (const piece of reply.body ?? []) {
        pieces.push(piece);
        length += pieces.at(-1)?.length ?? 0;
        if (pieces.length % 64 === 0) await new Promise(resolve => setTimeout(resolve, 20));
      }
      return Buffer.concat(pieces);
    };
    return { done: read(), count: () => length };
  }

  async function startInto(path: string): Promise<RecorderThread> {
    const started = await RecorderThread.start({ to: 'file', path, producer: 'test' }, now, {
      maxBehind: MAX_BEHIND,
    });
    if (!started.ok) throw new Error(started.message);
    const listening = await startHttpProxy({ url: new URL(origin) }, 0, started.thread.open(NOTHING));
    if (!listening.ok) throw new Error(listening.message);
    proxy = listening.proxy;
    return started.thread;
  }

  /** What came of a reply, and what the file holds of it. */
  async function recordReply(pathname: string): Promise<Recorded> {
    const path = join(folder, 'out.agenttrace.jsonl');
    const thread = await startInto(path);
    const came = await ask(new URL(pathname, proxy?.address).href).done;
    await proxy?.close();
    assert.equal(await thread.close(), undefined);
    const { events, notes } = parseTraceFile(await readFile(path, 'utf8'));
    const stored = events.flatMap(event =>
      event.type === 'wire' && event.direction === 'in'
        ? ['text' in event.bytes ? Buffer.from(event.bytes.text) : Buffer.from(event.bytes.base64, 'base64')]
        : [],
    );
    return { came, stored: Buffer.concat(stored), notes, last: events.at(-1)?.type };
  }

  it('writes all of a long reply to its file, byte for byte', async () => {
    const { came, stored, notes, last } = await recordReply('/');
    const whole = Buffer.alloc(SIZE, PIECE);
    assert.deepEqual([came.equals(whole), stored.equals(whole), notes, last], [true, true, [], 'end']);
  });

  it('writes a reply of many small chunks without what frames them', async () => {
    const { came, stored, notes, last } = await recordReply('/chunks');
    const whole = Buffer.concat(CHUNKS);
    assert.deepEqual([came.equals(whole), stored.equals(whole), notes, last], [true, true, [], 'end']);
  });

  it('holds back what passes while its disk does not take it, and goes on where it does', async function () {
    if (process.platform === 'win32') this.skip();
    const path = join(folder, 'pipe.agenttrace.jsonl');
    execFileSync('mkfifo', [path]);
    const thread = await startInto(path);
    const asked = ask(proxy?.address ?? '');
    let last = -1;
    await until('nothing more comes', () => {
      const isStill = asked.count() === last && last > 0;
      last = asked.count();
      return isStill;
    });
    await new Promise(resolve => setTimeout(resolve, 300));
    assert.ok(asked.count() < MAX_BEHIND + ON_THE_WAY, `${asked.count()} bytes passed`);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'ignore', 'inherit'] });
    await asked.done;
    assert.equal(asked.count(), SIZE);
    await proxy?.close();
    assert.equal(await thread.close(), undefined);
    reader.kill();
  });

  it('takes for recorded what is in the file, and nothing else', async function () {
    if (process.platform === 'win32') this.skip();
    const path = join(folder, 'pipe.agenttrace.jsonl');
    execFileSync('mkfifo', [path]);
    const started = await RecorderThread.start({ to: 'file', path, producer: 'test' }, now, {
      maxBehind: MB,
    });
    assert.ok(started.ok);
    const { thread } = started;
    const recorder = thread.open(NOTHING);
    const exchange = recorder.open({ method: 'GET', path: '/', line: 'GET /', headers: [] }, origin);
    exchange.requestOver();
    exchange.replyHead('200 OK', 200, []);
    // Two messages, of which one alone would not be too much.
    exchange.replyBody(Buffer.alloc(MB, 'x'));
    const states = [recorder.isFull];
    const freed = new Promise<void>(resolve => recorder.whenFree(resolve));
    // What the system holds of a pipe is written: the thread has the events, and waits for a reader.
    const reader = await open(path, 'r');
    const read = async (): Promise<string> => {
      const { buffer, bytesRead } = await reader.read(Buffer.alloc(1024), 0, 1024);
      return buffer.toString('latin1', 0, bytesRead);
    };
    let said = '';
    while (!said.includes('xxxx')) said += await read();
    for (let turn = 0; turn < 30; turn++) await new Promise(resolve => setTimeout(resolve, 10));
    states.push(recorder.isFull);
    const rest = spawn('cat', [path], { stdio: ['ignore', 'ignore', 'inherit'] });
    await freed;
    states.push(recorder.isFull);
    assert.deepEqual(states, [true, true, false]);
    exchange.replyOver();
    assert.equal(await thread.close(), undefined);
    await reader.close();
    rest.kill();
  });

  it('says why it cannot write the file, and does not start', async () => {
    const path = join(folder, 'no', 'such', 'folder.agenttrace.jsonl');
    assert.deepEqual(await RecorderThread.start({ to: 'file', path, producer: 'test' }, now), {
      ok: false,
      message: `${quote(path)} cannot be written (ENOENT); choose another file`,
    });
  });
});

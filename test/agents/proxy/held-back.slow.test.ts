import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ExchangeRecorder } from '../../../agents/proxy/exchange.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { startHttpProxy, type HttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { StoredTraces } from '../../../agents/store/stored-traces.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { until } from '../support/raw-agent.ts';
import { parseTraceFile } from '../../support/at-once.ts';
import { sized } from '../../support/size.ts';

const MB = 2 ** 20;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const SIZE = sized(48 * MB, 6 * MB);
/** So much may wait to be recorded, and as much to be written. */
const MAX = sized(2 * MB, MB / 2);
/** What the system itself takes of what is under way between a caller and a proxy that does not read. */
const ON_THE_WAY = sized(16 * MB, 3 * MB);

describe('what passes a recording of a window', () => {
  let folder = '';
  let path = '';
  let agent: Server;
  let url: URL;
  let stored: StoredTraces;
  let thread: RecorderThread | undefined;
  let proxy: HttpProxy | undefined;
  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await mkdtemp(join(tmpdir(), 'held-back-'));
    // A disk that takes nothing: a pipe without a reader replaces the file of the window.
    path = join(folder, `1970-01-01T00-00-00.000Z-0.${process.pid}.agenttrace.jsonl`);
    execFileSync('mkfifo', [path]);
    const limits = { traces: 50, bytes: 1e9, pinned: [] };
    stored = new StoredTraces(
      { folder, producer: 'test' },
      () => limits,
      () => 0,
      MAX,
    );
    agent = createServer((request, response) => {
      request.resume();
      let left = SIZE;
      const more = (): void => {
        for (; left > 0; left -= PIECE.length)
          if (!response.write(PIECE)) {
            left -= PIECE.length;
            return void response.once('drain', more);
          }
        response.end();
      };
      more();
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(agent.address() as AddressInfo).port}/`);
  });
  afterEach(async () => {
    await proxy?.close();
    await thread?.close();
    thread = undefined;
    agent.closeAllConnections();
    agent.close();
    await rm(folder, { recursive: true, force: true });
  });

  const emit = (event: TraceEvent): void => stored.write(event);

  async function openApart(): Promise<ExchangeRecorder> {
    const started = await RecorderThread.start({ to: 'starter' }, now, { maxBehind: MAX, capacity: stored });
    assert.ok(started.ok);
    ({ thread } = started);
    return thread.open({ agent: 'a', secrets: [], secretHeaders: [] }, emit);
  }

  function openGuarded(): ExchangeRecorder {
    const guard = new RecursionGuard(5);
    return new Recorder({
      protocols: ALL_PROTOCOLS,
      agent: 'a',
      emit,
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor([]),
      guard,
      capacity: stored,
    });
  }

  for (const [name, open] of [
    ['in a thread of its own', openApart],
    ['that is guarded', openGuarded],
  ] as const)
    it(`waits while the disk does not take it, and goes on where it does, beside one ${name}`, async () => {
      const listening = await startHttpProxy({ url }, 0, await open());
      assert.ok(listening.ok);
      ({ proxy } = listening);
      let count = 0;
      const read = async (address: string): Promise<void> => {
        const reply = await fetch(address, { method: 'POST', body: 'LIST' });
        for await (const piece of reply.body ?? []) count += (piece as Uint8Array).length;
      };
      const done = read(proxy.address);
      await until('the disk is behind', () => stored.isFull);
      let last = -1;
      await until('nothing more comes', () => {
        const isStill = count === last;
        last = count;
        return isStill;
      });
      await new Promise(resolve => setTimeout(resolve, 300));
      assert.ok(count < 2 * MAX + ON_THE_WAY, `${count} bytes passed`);
      const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
      const pieces: Buffer[] = [];
      reader.stdout.on('data', (piece: Buffer) => pieces.push(piece));
      await done;
      await proxy.close();
      assert.equal(count, SIZE);
      await stored.settled();
      assert.equal(stored.isFull, false);
      await Promise.all([once(reader, 'close'), stored.close()]);
      const { events } = parseTraceFile(Buffer.concat(pieces).toString());
      const came = events.reduce(
        (sum, event) =>
          event.type === 'wire' && event.direction === 'in' && 'text' in event.bytes
            ? sum + event.bytes.text.length
            : sum,
        0,
      );
      assert.deepEqual([came, events.at(-1)?.type], [SIZE, 'end']);
    });
});

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ExchangeRecorder } from '../../../agents/proxy/exchange.ts';
import { startHttpProxy, type HttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import type { RecorderTask } from '../../../agents/proxy/thread/recorder-messages.ts';
import { now } from '../../../agents/runtime.ts';
import type { TraceTree } from '../../../trace/fold/tree.ts';
import { until } from '../support/raw-agent.ts';
import { foldTrace, parseTraceFile } from '../../support/at-once.ts';
import { Tape } from './support.ts';

const PASSES = 'traffic is still forwarded, but no longer recorded';
const BROKEN = 'The recording was interrupted before the call ended';
const MANY = Buffer.from('0123456789abcdef'.repeat(4096));

interface Started {
  readonly thread: RecorderThread;
  readonly recorder: ExchangeRecorder;
  readonly proxy: HttpProxy;
  /** Why it records no more. */
  readonly reported: string[];
}

/** How calls ended, by their paths. */
function endsOf(trees: readonly TraceTree[]): readonly string[] {
  return trees.flatMap(({ roots }) =>
    roots.map(({ call, status, message, notes }) =>
      [call.title, status, message, ...notes].filter(Boolean).join(' '),
    ),
  );
}

describe('where the thread that records is gone', () => {
  let folder = '';
  let agent: Server;
  let waiting: ServerResponse[];
  /** The newest thread of this process. */
  let worker: Worker | undefined;
  const onWorker = (newest: Worker): void => void (worker = newest);
  const opened: { close(): Promise<unknown> }[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recorder-'));
    waiting = [];
    worker = undefined;
    process.on('worker', onWorker);
    agent = createServer((request, response) => {
      request.resume();
      if (request.url === '/held') {
        response.write('first');
        waiting.push(response);
      } else response.end(request.url);
    });
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.close();
    process.off('worker', onWorker);
    agent.closeAllConnections();
    agent.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(task: RecorderTask, tape: Tape, maxBehind?: number): Promise<Started> {
    const started = await RecorderThread.start(task, now, maxBehind === undefined ? {} : { maxBehind });
    assert.ok(started.ok);
    const { thread } = started;
    const reported: string[] = [];
    void thread.failed.then(why => reported.push(why));
    const facts = { agent: 'a', secrets: [], secretHeaders: [] };
    const { port } = agent.address() as AddressInfo;
    const recorder = thread.open(facts, event => tape.take(event));
    const listening = await startHttpProxy({ url: new URL(`http://127.0.0.1:${port}`) }, 0, recorder);
    assert.ok(listening.ok);
    opened.push(thread, listening.proxy);
    return { thread, recorder, proxy: listening.proxy, reported };
  }

  const ask = async (proxy: HttpProxy, path: string): Promise<string> =>
    (await fetch(`${proxy.address}${path}`, { method: 'POST', body: 'x' })).text();

  /** How a thread ends, and what is said of that. */
  const ways: readonly (readonly [name: string, end: () => void, why: RegExp])[] = [
    ['was ended', () => void worker?.terminate(), /^The recording failed \(its thread ended with code 1\); /],
    // It cannot read this.
    [
      'failed',
      () => worker?.postMessage({ type: 'acts' }),
      /^The recording failed \(message\.acts is not iterable\); /,
    ],
  ];
  for (const [name, end, why] of ways) {
    it(`because it ${name}, bytes pass, it is said once, open calls end, and the next recording records`, async () => {
      const [tape, next] = [new Tape(), new Tape()];
      const { thread, proxy, reported } = await start({ to: 'starter' }, tape);
      const before = await ask(proxy, '/before');
      const held = ask(proxy, '/held');
      await until('both calls are told', () => tape.calls().length === 2);
      end();
      await until('the thread is gone', () => reported.length > 0);
      for (const response of waiting) response.end(' last');
      const replies = [before, await held, await ask(proxy, '/after')];
      await proxy.close();
      assert.equal(await thread.close(), undefined);
      const again = await start({ to: 'starter' }, next);
      replies.push(await ask(again.proxy, '/again'));
      await again.proxy.close();
      assert.deepEqual(
        {
          replies,
          reported: reported.length,
          again: again.reported,
          ends: [endsOf(tape.trees()), endsOf(next.trees())],
        },
        {
          replies: ['/before', 'first last', '/after', '/again'],
          reported: 1,
          again: [],
          ends: [['POST /before ok', `POST /held incomplete ${BROKEN}`], ['POST /again ok']],
        },
      );
      assert.match(reported[0] ?? '', why);
      assert.ok(reported[0]?.endsWith(PASSES));
    });
  }

  it('what it wrote stays, and another one goes on in the same file', async () => {
    const path = join(folder, 'out.agenttrace.jsonl');
    const task: RecorderTask = { to: 'file', path, producer: 'test' };
    const read = async (): Promise<readonly string[]> => {
      const { events, notes } = parseTraceFile(await readFile(path, 'utf8'));
      return [...endsOf(foldTrace(events)), ...notes];
    };
    const first = await start(task, new Tape());
    await ask(first.proxy, '/before');
    let stored: readonly string[] = [];
    const look = async (): Promise<void> => void (stored = await read());
    while (stored.join() !== 'POST /before ok') await look();
    await worker?.terminate();
    await until('the thread is gone', () => first.reported.length > 0);
    await ask(first.proxy, '/lost');
    const second = await start(task, new Tape());
    await ask(second.proxy, '/after');
    await second.proxy.close();
    assert.equal(await second.thread.close(), undefined);
    assert.deepEqual([await read(), first.reported.length], [['POST /before ok', 'POST /after ok'], 1]);
  });

  it('what was held back for it goes on', async function () {
    if (process.platform === 'win32') this.skip();
    const path = join(folder, 'pipe.agenttrace.jsonl');
    execFileSync('mkfifo', [path]);
    const { proxy, recorder, reported } = await start(
      { to: 'file', path, producer: 'test' },
      new Tape(),
      2 ** 20,
    );
    const big = Buffer.concat(Array.from({ length: 512 }, () => MANY));
    const asked = fetch(`${proxy.address}/big`, { method: 'POST', body: big });
    await until('it is behind', () => recorder.isFull);
    const gone = worker?.terminate();
    // What it is writing is written to its end.
    const reader = spawn('cat', [path], { stdio: ['ignore', 'ignore', 'inherit'] });
    const closed = once(reader, 'close');
    await gone;
    assert.deepEqual([await (await asked).text(), reported.length], ['/big', 1]);
    reader.kill();
    await closed;
  });

  it('is not said where it was closed', async () => {
    const { thread, proxy, reported } = await start({ to: 'starter' }, new Tape());
    await ask(proxy, '/before');
    await proxy.close();
    assert.deepEqual([await thread.close(), await thread.close(), reported], [undefined, undefined, []]);
  });

  it('it is said where it ends before it began', async () => {
    const starting = RecorderThread.start({ to: 'starter' }, now);
    await until('the thread is there', () => worker !== undefined);
    await worker?.terminate();
    const started = await starting;
    assert.match(
      started.ok ? '' : started.message,
      /^The thread that records cannot start \(it ended with code [01]\)$/,
    );
  });
});

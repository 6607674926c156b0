import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { listenLive, findLivePlace } from '../../../agents/proxy/live/live-listener.ts';
import { LiveSender } from '../../../agents/proxy/live/live-sender.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../../trace/file.ts';
import { until } from '../support/raw-agent.ts';
import { lineOf, onSilence, Tape } from './support.ts';
import { sized } from '../../support/size.ts';
import { CLI } from '../../support/built-cli.ts';

/** Answers each request but for one that is to be held. */
const AGENT = `require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined && method !== 'hold') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
});`;

const CALL: TraceEvent = {
  type: 'call',
  call: 'x',
  trace: 't',
  at: 1,
  agent: 'a',
  protocol: 'aicf',
  title: 'LIST',
};
const END: TraceEvent = { type: 'end', call: 'x', at: 2, status: 'ok' };

const ask = (id: number, method: string): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}\n`;

type Listening = Extract<Awaited<ReturnType<typeof listenLive>>, { ok: true }>;

describe('a window that hears what other processes record', () => {
  let folder: string;
  let path: string;
  let tape: Tape;
  let problems: string[];
  let processes: ChildProcessWithoutNullStreams[];
  let windows: Listening[];
  let settled: () => Promise<void>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    path = join(folder, 'live.sock');
    tape = new Tape();
    problems = [];
    processes = [];
    windows = [];
    settled = () => Promise.resolve();
  });
  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    for (const window of windows) await window.close();
    await rm(folder, { recursive: true });
  });

  async function listen(): Promise<Listening> {
    const window = await listenLive(path, {
      emit: event => tape.take(event),
      onProblem: message => problems.push(message),
      settled: () => settled(),
    });
    assert.ok(window.ok, JSON.stringify(window));
    windows.push(window);
    return window;
  }

  const calls = (): readonly string[] =>
    tape
      .calls()
      .map(lineOf)
      .map(line => line.replace(/^\S+ · /, ''));
  const hasAll = (expected: readonly string[]) => (): boolean =>
    JSON.stringify(calls()) === JSON.stringify(expected);

  /** A process that another program starts in the place of the agent, and what it writes. */
  function startTapped(): { readonly child: ChildProcessWithoutNullStreams; readonly said: () => string } {
    const words = ['record', '--name', 'coder', '--live', path, '--', process.execPath, '-e', AGENT];
    const child = spawn(process.execPath, [CLI, ...words], { stdio: 'pipe' });
    processes.push(child);
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
    return { child, said: () => said };
  }

  async function connectRaw(...written: readonly string[]): Promise<Socket> {
    const socket = connect(path);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    for (const text of written) socket.write(text);
    return socket;
  }

  it('hears what passes them while it passes, of several at once, each time', async () => {
    await listen();
    const [one, other] = [startTapped(), startTapped()];
    one.child.stdin.write(ask(1, 'hold'));
    await until('the first call', hasAll(['hold · open']));
    other.child.stdin.write(ask(1, 'tools/list'));
    await until('the second call', hasAll(['hold · open', 'tools/list · ok']));
    one.child.stdin.end(ask(2, 'ping'));
    await once(one.child, 'close');
    const all = ['hold · error · EXIT 0', 'tools/list · ok', 'ping · ok'];
    await until('the end of the first process', hasAll(all));
    assert.deepEqual(
      [one.said(), other.said()],
      [2, 1].map(id => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`),
    );
    const again = startTapped();
    again.child.stdin.end(ask(3, 'ping'));
    await once(again.child, 'close');
    await until('another process', hasAll([...all, 'ping · ok']));
    assert.deepEqual(problems, []);
  });

  it('hears nothing of what passed before it listened, nor after; all of it passes', async () => {
    const { child, said } = startTapped();
    const answered = (id: number) => (): boolean => said().includes(`"id":${id}`);
    child.stdin.write(ask(1, 'before'));
    await until('an answer without a window', answered(1));
    const first = await listen();
    // The process looks again now and then whether a window listens.
    for (let id = 2; calls().length === 0; id++) {
      child.stdin.write(ask(id, 'now'));
      await until('an answer', answered(id));
    }
    child.stdin.write(ask(0, 'hold'));
    await until('the call that stays open', () => calls().includes('hold · open'));
    await first.close();
    child.stdin.write(ask(1_000, 'after'));
    await until('an answer after the window', answered(1_000));
    assert.deepEqual(new Set(calls()), new Set(['now · ok', 'hold · incomplete']));
    child.stdin.end();
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  it('ends what is open where a process is killed', async () => {
    await listen();
    const { child } = startTapped();
    child.stdin.write(ask(1, 'hold'));
    await until('the call', hasAll(['hold · open']));
    child.kill('SIGKILL');
    await until('its end', hasAll(['hold · incomplete']));
    assert.equal(tape.calls()[0]?.message, 'The recording was interrupted before the call ended');
  });

  it('is the only one; what a window left that is gone makes way', async () => {
    const first = await listen();
    const hearer = { emit: () => undefined, onProblem: () => undefined, settled };
    assert.deepEqual(await listenLive(path, hearer), {
      ok: false,
      message: 'Another window records it already; stop that recording first',
    });
    await first.close();
    const crashed = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    await once(crashed, 'close');
    await listen();
    const socket = await connectRaw(
      printTraceHeader('parley 0'),
      printTraceEvent(CALL),
      printTraceEvent(END),
    );
    await until('the call', hasAll(['LIST · ok']));
    socket.destroy();
    const nowhere = await listenLive(join(folder, 'none', 'live.sock'), hearer);
    assert.ok(!nowhere.ok);
    assert.match(nowhere.message, /live\.sock' cannot be listened to \((EACCES|ENOENT)\)$/);
  });

  it('refuses what is no recording, says so once, and leaves out a line that is no event', async () => {
    await listen();
    const faults = ['GET / HTTP/1.1\r\n', '{"format":"agenttrace","version":99}\n', 'x'.repeat(2 ** 25 + 1)];
    for (const fault of [...faults, ...faults]) await once(await connectRaw(fault), 'close');
    await connectRaw(
      `${printTraceHeader('parley 0')}no event\n${printTraceEvent(CALL)}${printTraceEvent(END)}`,
    );
    await until('the call', hasAll(['LIST · ok']));
    assert.deepEqual(
      problems.map(problem => problem.slice(0, 60)),
      [
        'This is not a trace file: its first line should be {"format"',
        'The trace file has version 99 and this program reads up to v',
        'A line of it is longer than 33554432 bytes',
        'What it sent is not an event of this format; it is left out:',
      ],
    );
  });

  it('hears each event whole, wherever its bytes are cut on the way', async () => {
    await listen();
    const wire: TraceEvent = {
      type: 'wire',
      call: 'x',
      at: 1,
      direction: 'in',
      bytes: { text: 'Gr\u00fc\u00dfe \u{1f600}\n' },
    };
    const events = [CALL, wire, wire, END];
    const bytes = Buffer.from(printTraceHeader('parley 0') + events.map(printTraceEvent).join(''));
    for (const size of [1, 2, 3, 50]) {
      const socket = await connectRaw();
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.subarray(at, at + size));
        // What is written is read by then.
        for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
      }
      await until('all of it', () => tape.events.length >= events.length);
      assert.deepEqual(tape.events.splice(0), events);
      socket.destroy();
    }
    assert.deepEqual(problems, []);
  });

  it('reads no more than is recorded, and continues when that is done', async () => {
    await listen();
    let goOn = (): void => undefined;
    settled = () => new Promise(resolve => (goOn = resolve));
    const note = (text: string): TraceEvent => ({ type: 'note', call: 'x', at: 1, text });
    const long = printTraceEvent(note('x'.repeat(2 ** 20)));
    const count = sized(64, 24);
    const socket = await connectRaw(
      printTraceHeader('parley 0'),
      ...Array.from({ length: count }, () => long),
    );
    const quiet = (): Promise<void> => new Promise(resolve => void onSilence(resolve));
    await until('it holds back', () => tape.events.length >= 15);
    await quiet();
    const before = tape.events.length;
    await quiet();
    assert.deepEqual([tape.events.length, before < 20], [before, true]);
    settled = () => Promise.resolve();
    goOn();
    await until('the rest', () => tape.events.length === count);
    socket.destroy();
  });

  it('has processes wait that tell more than it takes, and gets all of it', async () => {
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    const sender = new LiveSender(path, 'parley 0', { maxWaiting: 2 ** 20 });
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.pause();
    const events: TraceEvent[] = [];
    while (!sender.isFull) {
      const text = String(events.length).padEnd(2 ** 16, 'x');
      const event: TraceEvent = { type: 'wire', call: 'x', at: 1, direction: 'in', bytes: { text } };
      sender.write(event);
      events.push(event);
      // What it can write it writes by then.
      await new Promise(resolve => setImmediate(resolve));
    }
    let isFree = false;
    sender.whenFree(() => (isFree = true));
    assert.equal(isFree, false);
    let observed = '';
    socket.on('data', bytes => (observed += bytes.toString())).resume();
    await until('there is room', () => isFree);
    assert.equal(sender.isFull, false);
    await sender.close();
    assert.equal(observed, printTraceHeader('parley 0') + events.map(printTraceEvent).join(''));
    server.close();
  });

  it('is not waited for without end where it hangs, and what it did not take is said', async () => {
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    const sender = new LiveSender(path, 'parley 0', { patience: 1 });
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.pause();
    sender.write({ type: 'note', call: 'x', at: 1, text: 'x'.repeat(2 ** 24) });
    assert.match(
      (await sender.close()) ?? '',
      /^The window did not take the last \d{8} bytes of the recording; check whether it still responds$/,
    );
    socket.destroy();
    server.close();
  });

  it('lets go what waits for a window that goes', async () => {
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    const sender = new LiveSender(path, 'parley 0', { maxWaiting: 0 });
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.pause();
    while (!sender.isFull) {
      sender.write({ type: 'note', call: 'x', at: 1, text: 'x'.repeat(2 ** 20) });
      await new Promise(resolve => setImmediate(resolve));
    }
    const free = new Promise<void>(resolve => sender.whenFree(resolve));
    socket.destroy();
    server.close();
    await free;
    assert.equal(sender.isFull, false);
    await sender.close();
  });
});

describe('the place where a window hears recordings', () => {
  let folder: string;
  let before: string | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true });
  });

  it("is the same for the same key, another one for each, and its user's alone", async () => {
    const [one, again, other] = [
      await findLivePlace('a'),
      await findLivePlace('a'),
      await findLivePlace('b'),
    ];
    assert.ok(one.ok && other.ok);
    assert.deepEqual(again, one);
    assert.notEqual(other.path, one.path);
    await chmod(join(one.path, '..'), 0o755);
    assert.deepEqual(await findLivePlace('a'), {
      ok: false,
      message: `'${join(one.path, '..')}' is open to other users; delete it`,
    });
    await rm(join(one.path, '..'), { recursive: true });
    await writeFile(join(one.path, '..'), '');
    assert.equal((await findLivePlace('a')).ok, false);
  });

  it('is refused where no system would take its address', async () => {
    process.env['TMPDIR'] = join(folder, 'x'.repeat(80));
    const place = await findLivePlace('a');
    assert.ok(!place.ok);
    assert.match(place.message, /\.sock' is too long for a socket; set TMPDIR to a shorter folder$/);
  });
});

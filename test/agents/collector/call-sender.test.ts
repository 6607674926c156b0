import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import {
  CallSender,
  type CallSending,
  type CallSenderOptions,
} from '../../../agents/collector/call-sender.ts';
import { startOtlpReceiver } from '../../../agents/collector/otlp-receiver.ts';
import type { Wait } from '../../../agents/collector/otlp-sender.ts';
import { resolveTarget, type TraceTarget } from '../../../agents/collector/target.ts';
import type { PlacedCall } from '../../../trace/export/otlp.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { findPort } from '../mcp/support.ts';
import { until } from '../support/raw-agent.ts';

const closing: (() => unknown)[] = [];

async function targetAt(url: string): Promise<TraceTarget> {
  const none = (): undefined => undefined;
  const variables = { env: none, input: none, demo: none, workspaceFolder: none, secret: none };
  const resolved = await resolveTarget({ url, headers: new Map() }, variables);
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.target;
}

/** A window with calls, and a sender of them that waits until the test says so. */
class Window {
  readonly #fold = new TraceFold();
  readonly sender: CallSender;
  readonly waits: number[] = [];
  readonly #wakes: (() => void)[] = [];

  constructor(target: TraceTarget, more: Partial<Pick<CallSenderOptions, 'maxWaiting' | 'context'>> = {}) {
    const wait: Wait = (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        this.waits.push(milliseconds);
        const end = (): void => reject(new Error('ended'));
        if (signal.aborted) end();
        signal.addEventListener('abort', end);
        this.#wakes.push(() => resolve(undefined));
      });
    this.sender = new CallSender({
      target,
      context: { protocols: ALL_PROTOCOLS },
      find: call => this.#find(call),
      changed: () => undefined,
      wait,
      ...more,
    });
    closing.push(() => this.sender.stop());
  }

  /** A call begins and ends. */
  call(id: string): void {
    const trace = id.padStart(32, 'a');
    this.#fold.add({ type: 'call', call: id, trace, at: 1, agent: 'a', protocol: 'mcp', title: id });
    this.#fold.add({ type: 'end', call: id, at: 2, status: 'ok' });
    this.sender.add(id);
  }

  /** The collector tells what it got. */
  echo(id: string): void {
    const call = `reported:${id}`;
    const trace = id.padStart(32, 'a');
    this.#fold.add({
      type: 'call',
      call,
      trace,
      at: 1,
      agent: 'a',
      protocol: 'other',
      title: id,
      reported: true,
    });
    this.#fold.add({ type: 'end', call, at: 2, status: 'ok' });
    this.sender.add(call);
  }

  delete(id: string): void {
    const tree = this.#fold.treeOf(id);
    if (tree) this.#fold.forget(tree);
  }

  /** Lets all time pass that the sender wants to wait now. */
  async pass(): Promise<void> {
    await until('the sender waits', () => this.#wakes.length > 0);
    for (const wake of this.#wakes.splice(0)) wake();
  }

  /** Lets time pass until the condition holds. */
  async passUntil(what: string, isTrue: (state: CallSending) => boolean): Promise<void> {
    await until(what, () => {
      for (const wake of this.#wakes.splice(0)) wake();
      return isTrue(this.sender.state);
    });
  }

  #find(id: string): PlacedCall | undefined {
    const [node, tree] = [this.#fold.find(id), this.#fold.treeOf(id)];
    return tree && node && { node, trace: tree.trace };
  }
}

/** A receiver of ours; what came there, by the names of spans. */
async function receive(port = 0): Promise<{ readonly address: string; readonly names: readonly string[] }> {
  const names: string[] = [];
  const started = await startOtlpReceiver(port, {
    emit: event => event.type === 'call' && names.push(event.title),
  });
  if (!started.ok) throw new Error(started.message);
  closing.push(() => started.receiver.close());
  return { address: started.receiver.address, names };
}

/** A collector that answers as a test says; `sizes` are the spans of each request. */
async function collect(
  status: () => number,
): Promise<{ readonly address: string; readonly count: () => number }> {
  let count = 0;
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++;
      response.writeHead(status()).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

const spans = (...ids: readonly string[]): readonly string[] => ids.map(id => `tools/call ${id}`);

describe('sending calls as they end', () => {
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('gathers them to batches, and sends each once', async () => {
    const there = await receive();
    const window = new Window(await targetAt(there.address));
    for (const id of ['b1', 'b2']) window.call(id);
    assert.deepEqual(window.sender.state, { sent: 0, waiting: 2, lost: 0, problem: undefined });
    await window.pass();
    await until('they are there', () => window.sender.state.sent === 2);
    // The same call is reported again, such as by the collector; reports of an agent are sent as well, and once.
    window.sender.add('b1');
    window.echo('b1');
    window.call('b3');
    window.echo('c1');
    window.echo('c1');
    assert.deepEqual(await window.sender.stop(), { sent: 4, waiting: 0, lost: 0, problem: undefined });
    window.call('b4');
    assert.deepEqual([there.names, window.sender.state.waiting], [[...spans('b1', 'b2', 'b3'), 'c1'], 0]);
  });

  it('keeps those for a collector that is down until it is up', async () => {
    const port = await findPort();
    const window = new Window(await targetAt(`http://127.0.0.1:${port}`));
    for (const id of ['b1', 'b2']) window.call(id);
    await window.passUntil('it is down', ({ problem }) => problem !== undefined);
    window.call('b3');
    const problem = `POST http://127.0.0.1:${port}/v1/traces: no answer came (ECONNREFUSED); check that the server runs and that its address is right`;
    assert.deepEqual(window.sender.state, { sent: 0, waiting: 3, lost: 0, problem });
    const there = await receive(port);
    await window.passUntil('they are there', ({ sent }) => sent === 3);
    assert.deepEqual(window.sender.state, { sent: 3, waiting: 0, lost: 0, problem: undefined });
    assert.deepEqual(there.names, spans('b1', 'b2', 'b3'));
  });

  it('tells what was asked and answered where it may', async () => {
    const reported: string[] = [];
    const started = await startOtlpReceiver(0, {
      emit: event => {
        if (event.type !== 'attributes') return;
        for (const { name, json } of event.attributes)
          if (name.startsWith('gen_ai.tool.call.')) reported.push(json);
      },
    });
    assert.ok(started.ok);
    closing.push(() => started.receiver.close());
    const window = new Window(await targetAt(started.receiver.address), {
      context: {
        protocols: ALL_PROTOCOLS,
        payload: async call => [
          { type: 'wire', call, at: 1, direction: 'in', bytes: { text: `what ${call} answered` } },
        ],
      },
    });
    for (const id of ['b1', 'b2']) window.call(id);
    assert.deepEqual(await window.sender.stop(), { sent: 2, waiting: 0, lost: 0, problem: undefined });
    assert.deepEqual(reported, ['"what b1 answered"', '"what b2 answered"']);
  });

  it('says at its end how many did not get there', async () => {
    const port = await findPort();
    const window = new Window(await targetAt(`http://127.0.0.1:${port}`));
    window.call('b1');
    await window.passUntil('it is down', ({ problem }) => problem !== undefined);
    const { problem, ...counts } = await window.sender.stop();
    assert.deepEqual(counts, { sent: 0, waiting: 1, lost: 0 });
    assert.match(problem ?? '', /ECONNREFUSED/);
  });

  it('counts those that a collector refuses, and goes on', async () => {
    const statuses = [400, 200];
    const there = await collect(() => statuses.shift() ?? 500);
    const window = new Window(await targetAt(there.address));
    window.call('b1');
    await window.passUntil('it is refused', ({ lost }) => lost === 1);
    window.call('b2');
    await window.passUntil('the other is there', ({ sent }) => sent === 1);
    const { problem, ...counts } = window.sender.state;
    assert.deepEqual(counts, { sent: 1, waiting: 0, lost: 1 });
    assert.match(problem ?? '', /400/);
  });

  it('waits with the next batch for the one that is under way', async () => {
    let answer = (): void => undefined;
    const bodies: number[] = [];
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        bodies.push(bodies.length);
        answer = () => void response.end();
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const window = new Window(await targetAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    window.call('b1');
    await window.pass();
    await until('it is under way', () => bodies.length === 1);
    for (const id of ['b2', 'b3']) window.call(id);
    assert.deepEqual([window.sender.state.waiting, window.waits.length], [3, 1]);
    answer();
    await window.pass();
    await until('the others are under way', () => bodies.length === 2);
    answer();
    await until('all are there', () => window.sender.state.sent === 3);
  });

  it('gives up the oldest where more wait than there is room for, and calls that were deleted, and counts them', async () => {
    const there = await receive();
    const window = new Window(await targetAt(there.address), { maxWaiting: 2 });
    for (const id of ['b1', 'b2', 'b3']) window.call(id);
    assert.deepEqual(window.sender.state, {
      sent: 0,
      waiting: 2,
      lost: 1,
      problem: 'More than 2 calls waited for the collector; the oldest of them are not sent',
    });
    window.delete('b2');
    await window.passUntil('all is done', ({ waiting }) => waiting === 0);
    assert.deepEqual(
      [there.names, window.sender.state],
      [spans('b3'), { sent: 1, waiting: 0, lost: 2, problem: 'Calls were deleted before they were sent' }],
    );
  });
});

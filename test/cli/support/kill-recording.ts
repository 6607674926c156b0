import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { CliFolder } from './run-cli.ts';
import { foldTrace, parseTraceFile } from '../../support/at-once.ts';
import { CLI } from '../../support/built-cli.ts';

/** A recording that runs. */
interface Running {
  readonly process: ChildProcess;
  /** Makes a call through the recording; resolves to its title in a trace when the caller has the whole reply. */
  call(number: number): Promise<string>;
  /** Ends what the recording leaves behind. */
  close(): void;
}

/** What passes a recording before it is killed. */
interface Load {
  /** Bytes of each reply. */
  readonly size: number;
  /** Callers at a time. */
  readonly callers: number;
  /** Processes that use a processor each, all the time. */
  readonly workers: number;
  /** Calls of each caller before a second begins whose end is the kill. */
  readonly turns: number;
  /** Calls of each caller in that second; without any, it is quiet. */
  readonly least: number;
}

/** Longer than any test, in milliseconds. */
const WORK = `const end = Date.now() + 60_000; while (Date.now() < end);`;

/** Kills the recording of an address by SIGKILL a second after some calls have ended, and finds all of them in its file. */
export function killRecording(load: Load): Promise<void> {
  return killLater(startRecording, load);
}

/** Does the same with the recording of a process. */
export function killTap(load: Load): Promise<void> {
  return killLater(startTap, load);
}

async function killLater(
  start: (out: string, size: number) => Promise<Running>,
  { size, callers, workers, turns, least }: Load,
): Promise<void> {
  const folder = await CliFolder.create({});
  const out = join(folder.path, 'killed.agenttrace.jsonl');
  const recording = await start(out, size);
  const busy = Array.from({ length: workers }, () => spawn(process.execPath, ['-e', WORK]));
  try {
    const ended: string[] = [];
    let count = 0;
    const callAll = (times: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: callers }, async () => {
          for (let turn = 0; turn < times; turn++) ended.push(await recording.call(count++));
        }),
      );
    await callAll(turns);
    const wanted = [...ended];
    await Promise.all([wait(1_000), callAll(least)]);
    recording.process.kill('SIGKILL');
    await once(recording.process, 'exit');
    const { events } = parseTraceFile(await readFile(out, 'utf8'));
    const recorded = new Set(
      foldTrace(events)
        .flatMap(({ roots }) => roots)
        .filter(({ status }) => status === 'ok')
        .map(({ call: { title } }) => title),
    );
    assert.equal(wanted.length, callers * turns);
    assert.deepEqual(
      wanted.filter(title => !recorded.has(title)),
      [],
    );
  } finally {
    recording.process.kill('SIGKILL');
    for (const worker of busy) worker.kill('SIGKILL');
    recording.close();
    await folder.remove();
  }
}

async function startRecording(out: string, size: number): Promise<Running> {
  const body = 'x'.repeat(size);
  const agent = createServer((request, response) => {
    request.resume().on('end', () => response.end(body));
  });
  await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const words = ['record', '--listen', '0', '--to', to, '--out', out, '--format', 'json'];
  const recording = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(recording.stdout, 'data')) as [Buffer];
  const { recordings } = JSON.parse(String(said)) as { recordings: { address: string }[] };
  return {
    process: recording,
    async call(number) {
      const path = `/${number}`;
      const url = `${recordings[0]?.address ?? ''}${path}`;
      // Each call has a connection of its own: the recording closes idle ones, which a busy machine may reuse too late.
      await new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', agent: false }, reply =>
          reply.resume().on('end', resolve),
        );
        sent.on('error', reject).end('x');
      });
      return `POST ${path}`;
    },
    close() {
      agent.closeAllConnections();
      agent.close();
    },
  };
}

function startTap(out: string, size: number): Promise<Running> {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', line =>
    console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: 'x'.repeat(${size}) })));`;
  const words = ['record', '--out', out, '--', process.execPath, '-e', script];
  const tap = spawn(process.execPath, [CLI, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<string | undefined, () => void>();
  createInterface({ input: tap.stdout }).on('line', line =>
    waiting.get(/^\{"jsonrpc":"2\.0","id":(\d+),/.exec(line)?.[1])?.(),
  );
  return Promise.resolve({
    process: tap,
    async call(id) {
      const method = `call-${id}`;
      tap.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`);
      await new Promise<void>(resolve => waiting.set(String(id), resolve));
      return method;
    },
    close: () => undefined,
  });
}

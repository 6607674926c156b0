import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseTraceFile } from '../../../trace/file.ts';
import { foldTrace } from '../../../trace/fold/fold.ts';
import { CliFolder } from './run-cli.ts';

const MAIN = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));

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

/** Kills a recording by SIGKILL a second after some calls have ended, and finds all of them in its file. */
export async function killRecording({ size, callers, workers, turns, least }: Load): Promise<void> {
  const folder = await CliFolder.create({});
  const body = 'x'.repeat(size);
  const agent = createServer((request, response) => {
    request.resume().on('end', () => response.end(body));
  });
  await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const out = join(folder.path, 'killed.agenttrace.jsonl');
  const words = ['record', '--listen', '0', '--to', to, '--out', out, '--format', 'json'];
  const recording = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(recording.stdout, 'data')) as [Buffer];
  const { recordings } = JSON.parse(String(said)) as { recordings: { address: string }[] };
  const busy = Array.from({ length: workers }, () => spawn(process.execPath, ['-e', WORK]));
  try {
    const ended: string[] = [];
    let count = 0;
    const call = async (): Promise<void> => {
      const path = `/${count++}`;
      await (await fetch(`${recordings[0]?.address ?? ''}${path}`, { method: 'POST', body: 'x' })).text();
      ended.push(`POST ${path}`);
    };
    const callAll = (times: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: callers }, async () => {
          for (let turn = 0; turn < times; turn++) await call();
        }),
      );
    await callAll(turns);
    const wanted = [...ended];
    await Promise.all([wait(1_000), callAll(least)]);
    recording.kill('SIGKILL');
    await once(recording, 'exit');
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
    recording.kill('SIGKILL');
    for (const worker of busy) worker.kill('SIGKILL');
    agent.closeAllConnections();
    agent.close();
    await folder.remove();
  }
}

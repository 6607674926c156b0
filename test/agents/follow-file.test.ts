import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { followFile } from '../../agents/src/store/follow-file.ts';
import type { TraceEvent } from '../../protocol/src/trace/events.ts';
import { printTraceEvent } from '../../protocol/src/trace/file.ts';
import { TraceFold } from '../../protocol/src/trace/fold.ts';

const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

/** Answers the first request when the second message is there, and each later one at once. */
const AGENT = `
  let held;
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id } = JSON.parse(line);
    const answer = () => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { n: id } }));
    if (id === 1) held = answer;
    else if (held) { held(); held = undefined; if (id !== undefined) answer(); }
    else answer();
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

describe('a trace file that is followed', () => {
  let folder: string;
  let file: string;
  let events: TraceEvent[];
  let problems: string[];
  let processes: ChildProcessWithoutNullStreams[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-'));
    file = join(folder, 'recordings', 'coder.agenttrace.jsonl');
    events = [];
    problems = [];
    processes = [];
  });
  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  async function follow(): Promise<Extract<Awaited<ReturnType<typeof followFile>>, { ok: true }>> {
    const followed = await followFile(file, 'parley 0', {
      emit: event => events.push(event),
      onProblem: message => problems.push(message),
    });
    assert.ok(followed.ok, JSON.stringify(followed));
    return followed;
  }

  /** The calls so far, by their status. */
  function calls(): readonly string[] {
    const fold = new TraceFold();
    for (const event of events) fold.add(event);
    return fold
      .trees()
      .flatMap(tree => tree.roots)
      .map(({ call, status }) => `${call.agent} ${call.protocol} ${call.title} ${status}`);
  }

  async function until(expected: readonly string[]): Promise<void> {
    while (JSON.stringify(calls()) !== JSON.stringify(expected))
      await new Promise(resolve => setTimeout(resolve, 20));
  }

  function startTapped(): ChildProcessWithoutNullStreams {
    const words = ['record', '--name', 'coder', '--out', file, '--', process.execPath, '-e', AGENT];
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: 'pipe' });
    processes.push(child);
    return child;
  }

  it('tells what passes a process that another program starts, while it runs and each time', async () => {
    const followed = await follow();
    const first = startTapped();
    const said: string[] = [];
    first.stdout.on('data', (bytes: Buffer) => said.push(bytes.toString()));
    first.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await until(['coder mcp tools/list open']);
    first.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await until(['coder mcp tools/list ok', 'coder mcp ping ok']);
    assert.deepEqual(said.join('').trim().split('\n'), [
      '{"jsonrpc":"2.0","id":1,"result":{"n":1}}',
      '{"jsonrpc":"2.0","id":2,"result":{"n":2}}',
    ]);
    first.stdin.end();
    await once(first, 'close');
    const second = startTapped();
    second.stdin.write('{"jsonrpc":"2.0","id":3,"method":"prompts/list"}\n');
    const all = ['coder mcp tools/list ok', 'coder mcp ping ok', 'coder mcp prompts/list ok'];
    await until(all);
    await followed.stop();
    second.stdin.end('{"jsonrpc":"2.0","id":4,"method":"ping"}\n');
    await once(second, 'close');
    assert.deepEqual([calls(), problems], [all, []]);
  });

  it('begins with nothing of what stood there, and ends what is open', async () => {
    const before = await follow();
    await before.stop();
    await appendFile(file, printTraceEvent({ ...CALL, call: 'old' }));
    const followed = await follow();
    await appendFile(file, `${printTraceEvent(CALL)}no event\n`);
    await until(['a aicf LIST open']);
    await followed.stop();
    assert.deepEqual(calls(), ['a aicf LIST incomplete']);
    assert.deepEqual(problems, []);
  });

  it('is read on where it was made empty meanwhile, and says once why it cannot be read', async () => {
    const followed = await follow();
    await appendFile(file, printTraceEvent(CALL));
    await until(['a aicf LIST open']);
    await truncate(file);
    await appendFile(file, `{"format":"agenttrace","version":1}\n`);
    await appendFile(file, printTraceEvent({ type: 'end', call: 'x', at: 2, status: 'ok' }));
    await until(['a aicf LIST ok']);
    await rm(file);
    while (problems.length === 0) await new Promise(resolve => setTimeout(resolve, 20));
    await followed.stop();
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /coder\.agenttrace\.jsonl' cannot be read/);
  });

  it('is not followed where it cannot be made', async () => {
    await writeFile(join(folder, 'recordings'), '');
    const followed = await followFile(file, 'parley 0', {
      emit: () => undefined,
      onProblem: () => undefined,
    });
    assert.ok(!followed.ok);
    assert.match(followed.message, /^'.*coder\.agenttrace\.jsonl' cannot be written \(/);
  });
});

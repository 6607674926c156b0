import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { ROOT } from '../../../scripts/root.ts';
import { showTrees } from './support.ts';

describe('an agent served as an AIO-MCP agent over standard input and output', () => {
  let demo: DemoAgents;
  let folder = '';
  before(async () => {
    demo = await startDemoAgents();
    folder = await mkdtemp(join(tmpdir(), 'parley-bridge-'));
    const agents = { toolbox: { protocol: 'aicf', type: 'http', url: demo.addresses.get('toolbox') } };
    await writeFile(join(folder, 'agents.json'), JSON.stringify({ agents }));
  });
  after(async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  });

  /** Starts the command as a program starts an agent of the kind `stdio`, and gives it a whole request. */
  const run = async (input: string): Promise<readonly [code: number | null, output: string]> => {
    const child = spawn(process.execPath, [
      join(ROOT, 'cli/src/main.ts'),
      ...['bridge', '--to', 'toolbox', '--as', 'aio', '--stdio'],
      ...['--agents', join(folder, 'agents.json'), '--trace', join(folder, 'trace.jsonl')],
    ]);
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    child.stdin.end(input);
    const output = await text(child.stdout);
    return [await ended, output];
  };

  it('answers the request that is its whole input, on as many lines as it has, with one line', async () => {
    const params = { tool: 'math.add', args: { a: 1, b: 2 } };
    const request = {
      jsonrpc: '2.0',
      id: 3,
      method: 'agent::tools.call',
      params,
      trace_id: 'AIO-TR-20250326-0002',
    };
    const [code, output] = await run(JSON.stringify(request, undefined, 2));
    assert.deepEqual(
      [code, output],
      [0, '{"jsonrpc":"2.0","id":3,"result":{"sum":3},"trace_id":"AIO-TR-20250326-0002"}\n'],
    );
    const lines = (await readFile(join(folder, 'trace.jsonl'), 'utf8'))
      .split('\n')
      .filter(line => line !== '');
    const trees = showTrees(lines.map(line => JSON.parse(line) as TraceEvent));
    assert.match(trees.join('\n'), /math\.add \(toolbox as AIO, ok\) \[.*math\.add \(toolbox, ok\)/);
  });

  it('answers an input that is no request with an error', async () => {
    const [code, output] = await run('nonsense');
    assert.equal(code, 0);
    assert.match(output, /^\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32700,"message":"Send one request/);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { after, afterEach, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { ROOT } from '../../../scripts/root.ts';
import { mcpScript } from '../mcp/support.ts';
import { START_PATIENCE, until } from '../support/raw-agent.ts';
import { showTrees } from './support.ts';

/** A server that says the id of its process, and then waits. */
const PID = `on(({ id, method }) => {
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'pid', inputSchema: { type: 'object' } }] } });
  say({ id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
});`;

function scriptOf(script: string): readonly string[] {
  return mcpScript(script).args;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an agent served as an MCP server over standard input and output', () => {
  let demo: DemoAgents;
  let folder = '';
  const open: Client[] = [];
  before(async () => {
    demo = await startDemoAgents();
    folder = await mkdtemp(join(tmpdir(), 'parley-bridge-'));
    const at = (protocol: string, name: string): object => ({
      protocol,
      type: 'http',
      url: demo.addresses.get(name),
    });
    const agents = {
      toolbox: at('aicf', 'toolbox'),
      librarian: at('mcp', 'librarian'),
      process: { protocol: 'mcp', type: 'stdio', command: process.execPath, args: scriptOf(PID) },
    };
    await writeFile(join(folder, 'agents.json'), JSON.stringify({ agents }));
  });
  after(async () => {
    await demo.close();
    await rm(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  const argsFor = (agent: string): readonly string[] => [
    join(ROOT, 'cli/src/main.ts'),
    ...['bridge', '--to', agent, '--as', 'mcp', '--stdio'],
    ...['--agents', join(folder, 'agents.json'), '--trace', join(folder, `${agent}.jsonl`)],
  ];

  const readTrees = async (agent: string): Promise<readonly string[]> => {
    const text = await readFile(join(folder, `${agent}.jsonl`), 'utf8');
    const lines = text.split('\n').filter(line => line !== '');
    return showTrees(lines.map(line => JSON.parse(line) as TraceEvent));
  };

  for (const era of ['legacy', 'auto'] as const)
    it(`${era}: lists and calls tools, asks its caller, and records the calls`, async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...argsFor('librarian')],
        stderr: 'pipe',
      });
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: era } },
      );
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { days: 5 } }));
      await client.connect(transport);
      open.push(client);
      assert.equal(client.getProtocolEra(), era === 'auto' ? 'modern' : 'legacy');
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'book.borrow'));
      const lent = await client.callTool({ name: 'book.borrow', arguments: { title: 'Emma' } });
      assert.deepEqual(lent.content, [{ type: 'text', text: 'Emma is yours for 5 days' }]);
      await client.close();
      const trees = await readTrees('librarian');
      assert.match(
        trees.join('\n'),
        /book\.borrow \(librarian as MCP, ok\) \[book\.borrow \(librarian, ok\)/,
      );
    });

  it('answers what it was sent before its input ended, and then ends', async () => {
    const lines = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'math.add', arguments: { a: 1, b: 2 } },
      },
      'no json',
      { jsonrpc: '2.0', id: 2, method: 'nope' },
    ];
    const child = spawn(process.execPath, argsFor('toolbox'), { stdio: 'pipe' });
    let text = '';
    child.stdout.on('data', piece => (text += String(piece)));
    child.stdin.end(
      lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
    const code = await new Promise(resolve => child.once('close', resolve));
    assert.equal(code, 0);
    const answers = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { id: unknown; result?: unknown });
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, null]);
    assert.match(text, /"structuredContent":\{"sum":3\}/);
  });

  for (const [how, leave] of [
    ['its input ends', (child: ChildProcessWithoutNullStreams) => void child.stdin.end()],
    ['its output is closed', (child: ChildProcessWithoutNullStreams) => void child.stdout.destroy()],
    ['it is interrupted', (child: ChildProcessWithoutNullStreams) => void child.kill('SIGTERM')],
  ] as const)
    it(`ends with the process of the agent when ${how}`, async () => {
      const child = spawn(process.execPath, argsFor('process'), { stdio: 'pipe' });
      child.stdin.on('error', () => undefined);
      const ended = new Promise(resolve => child.once('exit', resolve));
      let text = '';
      child.stdout.on('data', piece => (text += String(piece)));
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pid', arguments: {} } };
      child.stdin.write(`${JSON.stringify(call)}\n`);
      await until('the agent answers', () => text.includes('\n'), START_PATIENCE);
      const pid = Number(/"text":"(\d+)"/.exec(text)?.[1]);
      assert.ok(isRunning(pid), text);
      leave(child);
      // What cannot be written shows that the reader has gone.
      if (how === 'its output is closed') child.stdin.write(`${JSON.stringify(call)}\n`);
      assert.equal(await ended, 0);
      await until('the process of the agent has ended', () => !isRunning(pid), START_PATIENCE);
    });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'mocha';
import { CliFolder, type CliRun } from './support/run-cli.ts';

function readSample(name: string): string {
  return readFileSync(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
}

/** A call in a graph of AIO-MCP, as far as it is compared. */
interface GraphCall {
  readonly id: number;
  readonly agent: string;
  readonly method: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly status: string;
}

interface Graph {
  readonly trace_id: string;
  readonly calls: readonly GraphCall[];
}

const TILE = readFileSync(new URL('../../samples/tile.png', import.meta.url)).toString('base64');

describe('parley send to AIO agents', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      'aio.aicf': readSample('aio.aicf'),
      'tile.png': readFileSync(new URL('../../samples/tile.png', import.meta.url)),
      '.vscode/agents.json': readSample('.vscode/agents.json'),
    });
  });
  after(() => folder.remove());

  /** Sends one request to an agent. */
  async function send(agent: string, request: string, ...more: readonly string[]): Promise<CliRun> {
    const name = request.startsWith('[') ? 'one.aicl' : 'one.aicf';
    await folder.write(name, `# @agent ${agent}\n${request}\n`);
    return folder.run(['send', name, ...more]);
  }

  it('calls every method of the modules in one task, whose graph names them as they were sent', async () => {
    const sent = await folder.run(['send', 'aio.aicf', '--trace', 'aio.agenttrace']);
    assert.deepEqual([sent.exitCode, sent.out.split('\n').length], [0, 12], sent.err);
    const exported = await folder.run(['trace', 'export', 'aio.agenttrace', '--to', 'aio']);
    const [task, other, ...more] = JSON.parse(exported.out) as readonly Graph[];
    assert.ok(task && other && more.length === 0);
    assert.match(task.trace_id, /^AIO-TR-\d{8}-\d{14}$/);
    assert.notEqual(task.trace_id, other.trace_id);
    // The first two ids of a trace are those of the requests for help and for the list of tools.
    assert.deepEqual(
      task.calls.map(({ id, method, input, status }) => [id, method, input, status]),
      [
        [3, 'resources.list', {}, 'ok'],
        [4, 'resources.get', { id: 'doc-001' }, 'ok'],
        [5, 'prompts.list', {}, 'ok'],
        [6, 'prompts.get', { name: 'summary', arguments: { text: 'A long sheet', words: 5 } }, 'ok'],
        [7, 'tools.call', { tool: 'calculate_area', args: { x: 3, y: 4 } }, 'ok'],
        [8, 'tools.call', { tool: 'calculate_area', args: { x: 3, y: 4 } }, 'ok'],
        [9, 'sampling.start', { input: { type: 'text', value: 'Please summarize this document' } }, 'ok'],
        [10, 'sampling.step', { id: 'sample-1' }, 'ok'],
        [11, 'sampling.step', { id: 'sample-2', input: 'Go on' }, 'ok'],
        [12, 'sampling.start', { input: { type: 'image', value: TILE } }, 'ok'],
      ],
    );
    assert.deepEqual(task.calls[4]?.output, { area: 12 });
    assert.deepEqual(
      other.calls.map(({ agent, method, output }) => [agent, method, output]),
      [['courier', 'input', { type: 'text', value: 'Delivered: Hello' }]],
    );
  });

  for (const [agent, request, message] of [
    [
      'curator',
      'CALL|input|Hello',
      "the agent is of the kind mcp, and such agents take only help and the methods of their modules, not 'input'; write sampling.start or tools.call",
    ],
    [
      'courier',
      'CALL|resources.list',
      "the agent's help says that it has no module 'resources', to which 'resources.list' belongs",
    ],
    [
      'curator',
      'CALL|resources.get|map|2',
      "the method 'resources.get' takes id, and the call has 2; remove the others",
    ],
    [
      'curator',
      'CALL|sampling.start',
      `'sampling.start' needs an input, as in {"input":{"type":"text","value":"Summarize this"}}`,
    ],
    [
      'curator',
      'CALL|resources.lst',
      "the agent lists no tool 'resources.lst'; LIST shows the available ones",
    ],
  ] as const)
    it(`says why ${request} is not sent to ${agent}`, async () => {
      const { exitCode, out, err } = await send(agent, request);
      assert.deepEqual([exitCode, out], [1, '']);
      assert.ok(err.includes(`error NOT_SENT: Not sent: ${message}\n`), err);
    });

  for (const [request, message] of [
    ['CALL|resources.get|nothing', "There is no resource 'nothing'; there is 'map', 'tile', 'doc-001'"],
    ['CALL|prompts.get', "Name the prompt in 'name'; there is 'summary'"],
    [
      'CALL|sampling.step|sample-3',
      "Name in 'id' the sampling that goes on, as the last step named it; it ends after step 3",
    ],
    ['CALL|tools.call|{"tool":"nothing","args":{}}', 'Tool not found: nothing'],
  ] as const)
    it(`shows the error of the agent to ${request}`, async () => {
      const { exitCode, out } = await send('curator', request);
      assert.deepEqual([exitCode, out.includes(message)], [1, true], out);
    });

  it('sends module methods from AICL', async () => {
    const sent = await send(
      'curator',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:tool_call],[s:tool]:[s:resources.get],[s:params]:[d:[s:id]:[s:map]]]',
    );
    assert.deepEqual([sent.exitCode, sent.err], [0, '']);
    assert.match(sent.out, /toolbox, analyst/);
  });
});

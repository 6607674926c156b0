import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { parseJson } from '../../../core/text/json.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { agentOf, bridge, showTrees, type TestBridge } from './support.ts';

const TRACE = 'AIO-TR-20250326-0001';

async function post(bridged: TestBridge, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(bridged.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return parseJson(await response.text()) as Record<string, unknown>;
}

function ask(method: string, params?: unknown): object {
  return { jsonrpc: '2.0', id: 7, method: `agent::${method}`, params, trace_id: TRACE };
}

describe('an agent served as AIO-MCP', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: string, name: string): Promise<TestBridge> => {
    const url = demo.addresses.get(name);
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'aio');
    open.push(bridged);
    return bridged;
  };

  it('gives tasks and calls to agents of every protocol', async () => {
    for (const [protocol, name, task, sum] of ANSWERS) {
      const bridged = await serve(protocol, name);
      const received = JSON.stringify(await post(bridged, ask('input', { input: 'Tell me a story' })));
      assert.match(received, task, name);
      const added = JSON.stringify(
        await post(bridged, ask('tools.call', { tool: 'math.add', args: { a: 1, b: 2 } })),
      );
      assert.match(added, sum, name);
      for (const reply of [received, added])
        assert.match(reply, /^\{"jsonrpc":"2\.0","id":7,.*"trace_id":"AIO-TR-20250326-0001"\}$/);
    }
  });

  it('describes the agent by its kind, methods, modalities and modules', async () => {
    const librarian = await post(await serve('mcp', 'librarian'), ask('help'));
    assert.deepEqual(librarian['result'], {
      name: 'librarian',
      version: '1.0.0',
      description: 'The agent librarian, which speaks Model Context Protocol',
      type: 'mcp',
      methods: [
        ...['help', 'resources.list', 'resources.get', 'prompts.list', 'prompts.get'],
        ...['tools.list', 'tools.call'],
      ],
      modalities: ['text', 'image', 'audio', 'video', 'file'],
      mcp: { resources: true, prompts: true, tools: true, sampling: false },
    });
    const oracle = await post(await serve('responses', 'oracle'), { method: 'help' });
    assert.match(
      JSON.stringify(oracle),
      /"type":"http","methods":\["help","input","sampling\.start","sampling\.step"\]/,
    );
    assert.match(JSON.stringify(oracle), /"id":null/);
    assert.ok(!('trace_id' in oracle));
  });

  it('lists and calls tools, also by names with underscores and by the name of the tool', async () => {
    const bridged = await serve('aicf', 'toolbox');
    assert.match(
      JSON.stringify(await post(bridged, ask('tools_list'))),
      /"name":"text\.reverse".*"inputSchema"/,
    );
    const described = await post(bridged, ask('help', { tool: 'math.add' }));
    assert.match(JSON.stringify(described), /"tool":\{"name":"math\.add"/);
    for (const method of ['tools_call', 'tools.call'])
      assert.deepEqual(
        (await post(bridged, ask(method, { tool: 'math.add', args: { a: 1, b: 2 } })))['result'],
        { sum: 3 },
      );
    assert.deepEqual((await post(bridged, ask('math.add', { a: 3, b: 2 })))['result'], { sum: 5 });
    assert.deepEqual(
      showTrees(bridged.events).at(-1),
      'math.add (toolbox as AIO, ok) [math.add (toolbox, ok)]',
    );
  });

  it('lists and gets resources and prompts of an MCP server', async () => {
    const bridged = await serve('mcp', 'librarian');
    const listed = JSON.stringify(await post(bridged, ask('resources.list')));
    assert.match(listed, /\{"id":"book:emma","title":"emma","type":"text","mimeType":"text\/plain"\}/);
    assert.match(listed, /\{"id":"book:\{title\}","title":"book","type":"template"/);
    const got = (await post(bridged, ask('resources_get', { id: 'book:emma' })))['result'];
    assert.match(
      JSON.stringify(got),
      /^\{"type":"text","value":"Emma Woodhouse, .*","mimeType":"text\/plain"\}$/,
    );
    const prompts = JSON.stringify(await post(bridged, ask('prompts.list')));
    assert.match(
      prompts,
      /"name":"summarize","description":"Asks for a summary of a book","arguments":\[\{"name":"title","required":true\}\]/,
    );
    const filled = await post(
      bridged,
      ask('prompts.get', { name: 'summarize', arguments: { title: 'emma' } }),
    );
    assert.match(JSON.stringify(filled['result']), /^\{"type":"text","value":".*emma.*","role":"user"\}$/i);
    const missing = await post(bridged, ask('resources.get', { id: 'book:nothing' }));
    assert.match(JSON.stringify(missing), /"error":\{"code":-\d+,"message":".*book:nothing/);
  });

  it('carries pictures and files in both directions', async () => {
    const courier = await serve('aio', 'courier');
    const inputs = [
      { type: 'text', value: 'Look' },
      { type: 'image', value: 'iVBORw0KGgo=' },
      { type: 'file', value: 'https://example.org/a.pdf' },
    ];
    const received = JSON.stringify(await post(courier, ask('input', { inputs })));
    assert.match(
      received,
      /I have read Look, an image \(8 bytes\), a file \(https:\/\/example\.org\/a\.pdf\)\./,
    );
    const storyteller = await post(
      await serve('agent-api', 'storyteller'),
      ask('input', { input: 'The sky' }),
    );
    assert.match(JSON.stringify(storyteller), /\{"type":"image","value":"iVBOR/);
  });

  it('continues a sampling by its id', async () => {
    const bridged = await serve('aicl', 'analyst');
    const started = await post(bridged, ask('sampling.start', { input: 'Plan a trip' }));
    const { id, done, output } = started['result'] as Record<string, unknown>;
    assert.deepEqual([typeof id, done], ['string', true]);
    assert.match(JSON.stringify(output), /Plan a trip/);
    const next = await post(bridged, ask('sampling.step', { id, input: 'Shorter' }));
    assert.match(JSON.stringify(next), /Shorter/);
    const sent = bridged.events.flatMap(event =>
      event.type === 'wire' && event.direction === 'out' ? [JSON.stringify(event.bytes)] : [],
    );
    const sessions = sent.join('').match(/s:session_id\]:\[s:([^\]]+)/g) ?? [];
    assert.deepEqual(
      sessions.slice(-2),
      [id, id].map(each => `s:session_id]:[s:${String(each)}`),
    );
  });

  it('asks an AIO agent for its modules, as its help has them', async () => {
    const curator = await serve('aio', 'curator');
    const help = JSON.stringify(await post(curator, ask('help')));
    assert.match(help, /"name":"curator","version":"1\.0\.0"/);
    assert.match(help, /"mcp":\{"resources":true,"prompts":true,"tools":true,"sampling":true\}/);
    const listed = JSON.stringify(await post(curator, ask('resources.list')));
    assert.match(listed, /\{"id":"tile","title":"A picture of a tile","type":"text"/);
    const tile = (await post(curator, ask('resources.get', { id: 'tile' })))['result'];
    assert.match(JSON.stringify(tile), /^\{"type":"image","value":"iVBOR.*","mimeType":"image\/png"\}$/);
    const filled = await post(
      curator,
      ask('prompts.get', { name: 'summary', arguments: { text: 'It rains' } }),
    );
    assert.match(
      JSON.stringify(filled['result']),
      /"value":"Summarize this text in 20 words: It rains","role":"user"/,
    );
  });

  it('takes the methods that an AIO agent lists for its tools, and gives it no task if it has no method for one', async () => {
    const tools = '{"result":{"tools":[]}}';
    const methods =
      '"methods":["help","tools.list",{"name":"shorten","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]';
    const agent: RawAgent = await startRawAgent((socket, index) => {
      const body = agent.requests[index] ?? '';
      const answer = body.includes('::help')
        ? `{"result":{"type":"http",${methods}}}`
        : body.includes('tools.list')
          ? tools
          : '{"result":{"short":"so"}}';
      socket.end(reply(answer, '200 OK', 'application/json'));
    });
    const bridged = await bridge(agentOf({ protocol: 'aio', type: 'http', url: agent.origin }), 'aio');
    open.push(bridged);
    const listed = (await post(bridged, ask('tools.list')))['result'] as {
      readonly tools: readonly { readonly name: string }[];
    };
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      ['shorten'],
    );
    assert.deepEqual((await post(bridged, ask('shorten', { text: 'so it goes' })))['result'], {
      short: 'so',
    });
    assert.match(JSON.stringify(await post(bridged, ask('input', { input: 'x' }))), /takes no tasks/);
    await closeRawAgents();
  });

  it('says what is wrong with a request that it cannot answer', async () => {
    const toolbox = await serve('aicf', 'toolbox');
    const oracle = await serve('responses', 'oracle');
    for (const [bridged, body, expected] of [
      [toolbox, '{', /"id":null,"error":\{"code":-32700.*agent::help/],
      [toolbox, [ask('help')], /-32600/],
      [toolbox, { result: 1 }, /-32600/],
      [
        toolbox,
        ask('input', { input: 'x' }),
        /-32601.*takes no tasks, so it has no method 'input'; it has help, tools\.list, tools\.call/,
      ],
      [toolbox, ask('nothing'), /-32601.*no method 'nothing'; it has/],
      [toolbox, ask('tools.call', { tool: 'nothing' }), /-32601.*'nothing' was not found.*'text\.reverse'/],
      [toolbox, ask('tools.call', {}), /-32600.*names no tool/],
      [
        toolbox,
        ask('tools.call', { tool: 'math.add', args: [1] }),
        /-32602.*'args' of 'tools\.call' is an object/,
      ],
      [
        toolbox,
        ask('tools.call', { tool: 'math.add', args: { a: 1 } }),
        /"code":-32602,"message":.*"protocol":"aicf","code":422/,
      ],
      [toolbox, ask('fail.always', {}), /-32603.*This tool always fails/],
      [toolbox, ask('help', { tool: 'nothing' }), /-32601.*no tool 'nothing'/],
      [toolbox, ask('resources.get', {}), /-32602.*needs 'id'/],
      [toolbox, ask('resources.get', { id: 'x' }), /-32600.*has no resources/],
      [toolbox, ask('prompts.get', { name: 'x', arguments: 'y' }), /-32602.*object of texts/],
      [oracle, ask('input', {}), /-32602.*Send an 'input'/],
      [oracle, ask('input', { input: { type: 'smell', value: 'x' } }), /-32602.*Input 1 is no value of AIO/],
      [oracle, ask('sampling.step', { input: 'x' }), /-32602.*needs 'id'/],
    ] as const)
      assert.match(JSON.stringify(await post(bridged, body)), expected);
    assert.equal((await fetch(oracle.address)).status, 405);
  });

  it('answers for an agent that is down with the reason, and again when it is up', async () => {
    const bridged = await bridge(
      agentOf({ protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:9/' }, 'gone'),
      'aio',
    );
    open.push(bridged);
    for (const request of [ask('help'), ask('tools.list'), ask('tools.call', { tool: 'x' })])
      assert.match(
        JSON.stringify(await post(bridged, request)),
        /"code":-32603,"message":".*(?:refused|reach|9)/,
      );
  });
});

/** For each demo agent, what it says to a task and to a call. */
const ANSWERS = [
  ['mcp', 'librarian', /-32601.*takes no tasks/, /"result":\{"sum":3\}/],
  ['aicf', 'toolbox', /-32601.*takes no tasks/, /"result":\{"sum":3\}/],
  ['aicl', 'analyst', /"result":\{"task":"Tell me a story"/, /-32601.*was not found/],
  [
    'a2a',
    'herald',
    /"result":\{"type":"text","value":"Hear ye! Tell me a story"\}/,
    /-32601.*give it a task/,
  ],
  ['agent-api', 'storyteller', /"outputs":\[.*You asked: \\"Tell me a story\\"/, /-32601/],
  ['responses', 'oracle', /"result":\{"type":"text","value":"/, /-32601/],
  ['aio', 'courier', /Tell me a story/, /"result":\{"sum":3\}/],
  ['aio', 'curator', /Tell me a story/, /"result":\{"sum":3\}/],
] as const;

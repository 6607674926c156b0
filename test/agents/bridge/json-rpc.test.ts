import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { parseJson } from '../../../core/text/json.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { agentOf, bridge, notesOf, showTrees, startListener, type TestBridge } from './support.ts';

interface Answer {
  readonly status: number;
  /** The value of the body; undefined for an empty one. */
  readonly value: unknown;
}

async function post(bridged: TestBridge, body: unknown): Promise<Answer> {
  const response = await fetch(bridged.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, value: parseJson(await response.text()) };
}

function invoke(tool: unknown, given: unknown, id: unknown = 7): object {
  return { jsonrpc: '2.0', id, method: 'aip.tool.invoke', params: { tool, arguments: given } };
}

const result = (value: unknown, id: unknown = 7): Answer => ({
  status: 200,
  value: { jsonrpc: '2.0', id, result: value },
});
const failed = (code: number, text: string, id: unknown = 7, status = 200): Answer => ({
  status,
  value: { jsonrpc: '2.0', id, error: { code, message: text } },
});

describe('an agent served as JSON-RPC', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: ProtocolName, name: string): Promise<TestBridge> => {
    const url = (demo.addresses.get(name) ?? name).replace(/aicf$/, protocol === 'json-rpc' ? 'rpc' : 'aicf');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'json-rpc');
    open.push(bridged);
    return bridged;
  };

  const SUM = invoke('math.add', { a: 1, b: 2 });
  const TASK = invoke('ask', { task: 'Tell me of the sky' });
  for (const [protocol, name, request, answer] of [
    ['aicf', 'toolbox', SUM, /^\{"sum":3\}$/],
    ['json-rpc', 'toolbox', SUM, /^\{"sum":3\}$/],
    ['mcp', 'librarian', SUM, /^\{"sum":3\}$/],
    ['aicl', 'analyst', invoke('text.reverse', { text: 'abc' }), /^"cba"$/],
    ['agent-api', 'storyteller', TASK, /Here is the sky over Lisbon/],
    ['responses', 'oracle', TASK, /What you look for/],
    ['aio', 'courier', invoke('text.reverse', { text: 'abc' }), /^"cba"$/],
    ['a2a', 'herald', TASK, /^"Hear ye! Tell me of the sky"$/],
  ] as const)
    it(`answers a call for ${name} of ${protocol}, also to Parley's own client`, async () => {
      const bridged = await serve(protocol, name);
      const { status, value } = await post(bridged, request);
      assert.equal(status, 200);
      assert.match(JSON.stringify((value as { result: unknown }).result), answer);
      const connection = connectAgent(agentAt('json-rpc', bridged.address));
      const { reply } = await sendTo(connection, JSON.stringify(request));
      await connection.close();
      assert.equal(reply.status, 'ok');
      assert.match(JSON.stringify((parseJson(reply.text) as { result: unknown }).result), answer);
    });

  it('lists and calls the tools of an MCP server, in one tree of caller and agent', async () => {
    const bridged = await serve('mcp', 'librarian');
    const listed = await post(bridged, { jsonrpc: '2.0', id: 1, method: 'aip.capabilities.list' });
    assert.match(JSON.stringify(listed), /"name":"book\.borrow"/);
    assert.deepEqual(await post(bridged, SUM), result({ sum: 3 }));
    assert.deepEqual(showTrees(bridged.events), [
      'aip.capabilities.list (librarian as JSON-RPC, ok) [capabilities (librarian, ok)]',
      'math.add (librarian as JSON-RPC, ok) [math.add (librarian, ok)]',
    ]);
  });

  it('shakes hands, describes one tool, and takes a tool as a method', async () => {
    const bridged = await serve('mcp', 'librarian');
    const ask = (method: string, params?: object): Promise<Answer> =>
      post(bridged, { jsonrpc: '2.0', id: 7, method, params });
    const { value } = await ask('aip.handshake', { version: '1.0.0' });
    assert.match(
      JSON.stringify(value),
      /"version":"1\.0\.0","server":\{"name":"[^"]+","version":"[^"]+","capabilities":/,
    );
    assert.match(JSON.stringify(await ask('aip.context.get')), /"tools":\d+/);
    assert.match(
      JSON.stringify(await ask('aip.capabilities.list', { tool: 'math.add' })),
      /"tool":\{"name":"math\.add"/,
    );
    assert.deepEqual(await ask('math.add', { a: 1, b: 2 }), result({ sum: 3 }));
    for (const method of ['aip.nope', 'constructor', 'toString'])
      assert.deepEqual(
        await ask(method, {}),
        failed(
          -32601,
          `Method not found: ${method}; the methods are aip.handshake, aip.capabilities.list, aip.tool.invoke, aip.context.get`,
        ),
      );
  });

  it('takes arguments in the order of the tool for an agent that names them', async () => {
    const bridged = await serve('mcp', 'librarian');
    assert.deepEqual(await post(bridged, invoke('math.add', [1, 2])), result({ sum: 3 }));
    const method = { jsonrpc: '2.0', id: 7, method: 'math.add' };
    assert.deepEqual(await post(bridged, { ...method, params: [1, 2] }), result({ sum: 3 }));
    for (const [given, fault] of [
      [[1], 'Missing required argument: b'],
      [[1, 'x'], 'Argument b should be of type number'],
      [[1, 2, 3], 'math.add takes 2 arguments, not 3'],
    ] as const)
      assert.deepEqual(await post(bridged, invoke('math.add', given)), failed(-32602, fault));
  });

  it('says which tools there are where one is not found', async () => {
    const bridged = await serve('aicf', 'toolbox');
    assert.match(
      JSON.stringify(await post(bridged, invoke('ask', { task: 'Tell me a story' }))),
      /"code":404,"message":"The tool 'ask' was not found in the agent 'toolbox': call one of its tools 'text\.reverse'/,
    );
  });

  it('refuses wrong arguments with HTTP 200, and what is no request with 400', async () => {
    const bridged = await serve('mcp', 'librarian');
    assert.deepEqual(
      await post(bridged, invoke('math.add', { a: 'x', b: 2 })),
      failed(-32602, 'Argument a should be of type number'),
    );
    assert.deepEqual(
      await post(bridged, invoke('math.add', { a: 1 })),
      failed(-32602, 'Missing required argument: b'),
    );
    assert.deepEqual(
      await post(bridged, invoke('math.add', 'x')),
      failed(-32602, "Invalid params: the arguments of 'math.add' should be an object"),
    );
    for (const tool of [undefined, 3, null])
      assert.match(
        JSON.stringify(await post(bridged, invoke(tool, {}))),
        /"status":200.*-32602,"message":"Invalid params/,
      );
    for (const [body, code] of [
      ['{bad', -32700],
      ['', -32700],
      ['[]', -32600],
      ['"x"', -32600],
      ['3', -32600],
    ] as const) {
      const { status, value } = await post(bridged, body);
      assert.equal(status, 400, body);
      assert.match(JSON.stringify(value), new RegExp(`"id":null,"error":\\{"code":${code},`), body);
    }
    for (const body of [
      { id: 7, method: 'x' },
      { jsonrpc: '2.0', id: 7 },
      { jsonrpc: '1.0', id: 7, method: 'x' },
    ])
      assert.match(
        JSON.stringify(await post(bridged, body)),
        /"status":200.*"id":7,"error":\{"code":-32600,/,
      );
    assert.match(
      JSON.stringify(await post(bridged, { ...SUM, id: {} })),
      /"id":null,"error":\{"code":-32600,/,
    );
  });

  it('answers a batch in order, without its notifications', async () => {
    const bridged = await serve('mcp', 'librarian');
    const { id: _id, ...notification } = SUM as { id: unknown };
    const batch = [SUM, notification, invoke('nope', {}, 'b'), 3, invoke('math.add', { a: 2, b: 2 }, 9)];
    const { status, value } = await post(bridged, batch);
    assert.equal(status, 200);
    const [first, second, third, last] = value as readonly object[];
    assert.deepEqual([first, last], [result({ sum: 3 }).value, result({ sum: 4 }, 9).value]);
    assert.match(JSON.stringify(second), /"id":"b","error":\{"code":404/);
    assert.match(JSON.stringify(third), /"id":null,"error":\{"code":-32600/);
    assert.deepEqual(await post(bridged, notification), { status: 204, value: undefined });
    assert.deepEqual(await post(bridged, [notification]), { status: 204, value: undefined });
  });

  it('answers each request of a long batch, a few at a time', async () => {
    const bridged = await serve('mcp', 'librarian');
    const batch = Array.from({ length: 200 }, (_, id) => invoke('math.add', { a: id, b: 1 }, id));
    const { value } = await post(bridged, batch);
    assert.deepEqual(
      value,
      batch.map((_, id) => result({ sum: id + 1 }, id).value),
    );
  });

  it('passes on a result that says that the call failed, and the errors of other protocols with their codes', async () => {
    const agent = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        const isCall = text.includes('aip.tool.invoke');
        const answer = isCall ? { success: false, error: 'no luck' } : { tools: [{ name: 'x' }] };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer }));
      });
    });
    agent.listen(0, '127.0.0.1');
    await once(agent, 'listening');
    const address = agent.address();
    const twin = await serve(
      'json-rpc',
      `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    );
    assert.deepEqual(await post(twin, invoke('x', {})), result({ success: false, error: 'no luck' }));
    agent.closeAllConnections();
    agent.close();
    const other = await serve('aicl', 'analyst');
    const { value } = await post(other, invoke('fail.always', { reason: 'no luck' }));
    assert.match(
      JSON.stringify(value),
      /"error":\{"code":500,"message":"TOOL_FAILED[^}]*"data":\{.*"aicl".*5000/,
    );
  });

  it('leaves out tools without a name, and notes them', async () => {
    const tools = [
      { name: 'one', description: 'It does' },
      { name: '' },
      { name: '', description: 'Which?' },
    ];
    const agent = await startListener((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }));
      });
    });
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url: agent.address }), 'aicf');
    open.push(bridged);
    const listed = await fetch(bridged.address, { method: 'POST', body: 'LIST' });
    assert.equal(await listed.text(), 'TOOLS|one');
    assert.deepEqual(notesOf(bridged), [
      '2 tools of the list have no name, so that nobody can call them; they are left out',
    ]);
    await agent.close();
  });

  it('notes what it cannot carry, and answers for an agent that is down', async () => {
    const asking = await serve('aicl', 'analyst');
    const { value } = await post(asking, invoke('ask', { task: 'Write a report' }));
    assert.ok(value);
    assert.match(
      notesOf(asking).join('\n'),
      /asks before it goes on, and JSON-RPC has no place for the answer/,
    );
    const down = await serve('aicf', 'http://127.0.0.1:1/');
    const { status, value: error } = await post(down, SUM);
    assert.equal(status, 502);
    assert.match(JSON.stringify(error), /"id":7,"error":\{"code":500,"message":"[^"]+"\}/);
  });
});

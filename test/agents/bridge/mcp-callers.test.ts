import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { after, afterEach, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { mcpScript } from '../mcp/support.ts';
import { until } from '../support/raw-agent.ts';
import { agentOf, bridge, showTrees, type TestBridge } from './support.ts';

/** What a caller without a library sees. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Headers_ = Readonly<Record<string, string>>;

const BOTH = 'application/json, text/event-stream';
const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function post(url: string, body: unknown, headers: Headers_ = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const request = (method: string, params?: object, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params ? { params } : {}),
});

const modern = (method: string, params: object = {}, meta: object = META): object =>
  request(method, { ...params, _meta: meta });

const named = (method: string, name?: string): Headers_ => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

/** Begins a session and returns its id. */
async function greet(url: string, version = '2025-06-18'): Promise<Headers_> {
  const params = {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const { headers } = await post(url, request('initialize', params));
  return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
}

describe('callers of an agent that is served as an MCP server', () => {
  let demo: DemoAgents;
  const open: { close(): Promise<void> }[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(() => demo.close());
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const serveDemo = async (protocol: ProtocolName, name: string): Promise<TestBridge> => {
    const url = demo.addresses.get(name)?.replace(protocol === 'json-rpc' ? /aicf$/ : /$^/, 'rpc');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'mcp');
    open.push(bridged);
    return bridged;
  };

  /** Serves a process of MCP that answers its requests with a few lines. */
  const serveScript = async (script: string): Promise<TestBridge> => {
    const { command, args: given } = mcpScript(script);
    const args = given.map(text => text.replace('tools: {} }', 'tools: { listChanged: true } }'));
    const bridged = await bridge(agentOf({ protocol: 'mcp', type: 'stdio', command, args }), 'mcp');
    open.push(bridged);
    return bridged;
  };

  const LISTS = `const tools = [{ name: 'wait', inputSchema: { type: 'object' } }];`;

  it('get answers of agents of every protocol', async () => {
    for (const [protocol, name] of [
      ['mcp', 'librarian'],
      ['aicf', 'toolbox'],
      ['json-rpc', 'toolbox'],
      ['aicl', 'analyst'],
      ['aio', 'courier'],
      ['a2a', 'herald'],
      ['responses', 'oracle'],
      ['agent-api', 'storyteller'],
    ] as const) {
      const bridged = await serveDemo(protocol, name);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(bridged.address)));
      open.push(client);
      const { tools } = await client.listTools();
      const takesTasks = tools.some(tool => tool.name === 'ask');
      const called = takesTasks
        ? { name: 'ask', arguments: { task: 'Tell me a story' } }
        : { name: 'math.add', arguments: { a: 1, b: 2 } };
      const { content, isError } = await client.callTool(called);
      assert.equal(isError ?? false, false, name);
      assert.ok(JSON.stringify(content).length > 2, name);
    }
  });

  it('learn what is wrong with a request that cannot be read', async () => {
    const { address } = await serveDemo('aicf', 'toolbox');
    const cases: readonly (readonly [unknown, Headers_, number, RegExp])[] = [
      ['{', {}, 400, /"code":-32700/],
      ['7', {}, 400, /"code":-32600/],
      [{ id: 1, method: 'ping' }, {}, 400, /"code":-32600/],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, {}, 400, /"code":-32600/],
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, {}, 400, /"code":-32600/],
      [
        request('nope'),
        {},
        200,
        /"code":-32601,"message":"The method nope does not exist; there are initialize/,
      ],
      [request('tools/call'), {}, 200, /"code":-32602,"message":"A call of a tool needs its 'name'/],
      [request('tools/call', { name: 7 }), {}, 200, /"code":-32602/],
      [request('tools/list', { cursor: 'x' }), {}, 200, /"code":-32602/],
      [request('resources/read'), {}, 200, /"code":-32602/],
      [
        request('resources/read', { uri: 'x:y' }),
        {},
        200,
        /"code":-\d+,"message":"The agent toolbox has no resources"/,
      ],
      [request('tools/list'), { 'mcp-session-id': 'unknown' }, 404, /begin a new one with initialize/],
      [request('tools/list'), { 'mcp-protocol-version': '1999-01-01' }, 400, /Unsupported protocol version/],
      [modern('tools/list'), {}, 400, /"code":-32020,"message":"The header MCP-Protocol-Version is missing/],
      [modern('tools/list'), named('tools/call'), 400, /"code":-32020,"message":"The header Mcp-Method says/],
      [modern('tools/call', { name: 'a' }), named('tools/call', 'b'), 400, /"code":-32020.*Mcp-Name/],
      [modern('nope'), named('nope'), 404, /"code":-32601/],
      [modern('initialize'), named('initialize'), 404, /"code":-32601/],
      [
        modern('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': MODERN }),
        named('tools/list'),
        400,
        /"code":-32602.*clientCapabilities/,
      ],
      [
        modern('tools/list', {}, { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
        { ...named('tools/list'), 'mcp-protocol-version': '2027-01-01' },
        400,
        /"code":-32022.*"supported":\["2026-07-28"/,
      ],
      [request('tools/list'), named('tools/list'), 400, /"code":-32602/],
      [
        modern('tools/call', { name: 'math.add', requestState: 'unknown' }),
        named('tools/call', 'math.add'),
        200,
        /"code":-32602.*requestState/,
      ],
    ];
    for (const [body, headers, status, expected] of cases) {
      const answered = await post(address, body, headers);
      assert.equal(answered.status, status, `${JSON.stringify(body)} ${answered.text}`);
      assert.match(answered.text, expected);
    }
    const whole = await post(address, request('tools/call', { name: 'math.add', arguments: { a: 1, b: 2 } }));
    assert.match(whole.text, /"sum":3/);
  });

  it('may send batches in 2025-03-26, and not later', async () => {
    const { address } = await serveDemo('aicf', 'toolbox');
    const batch = [
      request('ping', undefined, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request('tools/call', { name: 'text.reverse', arguments: { text: 'ab' } }, 2),
    ];
    const old = await greet(address, '2025-03-26');
    const answers = JSON.parse((await post(address, batch, old)).text) as readonly { id: unknown }[];
    assert.deepEqual(
      answers.map(({ id }) => id),
      ['a', 2],
    );
    const notes = await post(address, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], old);
    assert.equal(notes.status, 202);
    assert.equal((await post(address, [], old)).status, 400);
    const later = await greet(address);
    assert.match((await post(address, batch, later)).text, /MCP 2025-06-18 has no batches/);
  });

  it('get an answer to each request of a long batch', async () => {
    const { address } = await serveDemo('aicf', 'toolbox');
    const calls = Array.from({ length: 200 }, (_, id) =>
      request('tools/call', { name: 'math.add', arguments: { a: id, b: 1 } }, id),
    );
    const { text } = await post(address, calls, await greet(address, '2025-03-26'));
    const answers = JSON.parse(text) as readonly { id: unknown; result: { structuredContent: unknown } }[];
    assert.deepEqual(
      answers.map(({ id, result: { structuredContent } }) => [id, structuredContent]),
      calls.map((_, id) => [id, { sum: id + 1 }]),
    );
  });

  it('have sessions that they end, with one stream each', async () => {
    const { address } = await serveDemo('aicf', 'toolbox');
    const session = await greet(address);
    const get = (headers: Headers_): Promise<Response> => fetch(address, { headers });
    assert.equal((await get({ accept: 'text/event-stream' })).status, 405);
    assert.equal((await get({ ...session, accept: 'application/json' })).status, 406);
    const stream = await get({ ...session, accept: 'text/event-stream' });
    assert.equal(stream.status, 200);
    assert.equal((await get({ ...session, accept: 'text/event-stream' })).status, 409);
    const ended = await fetch(address, { method: 'DELETE', headers: session });
    assert.equal(ended.status, 200);
    await stream.text();
    assert.equal((await post(address, request('ping'), session)).status, 404);
    assert.equal((await fetch(address, { method: 'DELETE' })).status, 400);
  });

  it('get numbers as the agent wrote them, and the agent as they wrote them', async () => {
    const bridged = await serveScript(`
      on((message, line) => {
        if (message.method === 'tools/list')
          return raw('{"jsonrpc":"2.0","id":' + message.id + ',"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"n":{"type":"number","maximum":1.50}}}}]}}\\n');
        const given = /"arguments":({.*?})/.exec(line)[1];
        raw('{"jsonrpc":"2.0","id":' + message.id + ',"result":{"content":[{"type":"text","text":' + JSON.stringify(given) + '}],"structuredContent":{"n":9007199254740993,"m":1.0}}}\\n');
      });`);
    assert.match((await post(bridged.address, request('tools/list'))).text, /"maximum":1\.50/);
    const body =
      '{"jsonrpc":"2.0","id":1.0e0,"method":"tools/call","params":{"name":"echo","arguments":{"n":12345678901234567890.50}}}';
    const answered = await post(bridged.address, body.replace('1.0e0', '1'));
    assert.match(answered.text, /"n\\":12345678901234567890\.50/);
    assert.match(answered.text, /\{"n":9007199254740993,"m":1\.0\}/);
  });

  it('cancel a call by a notification in their session, and by leaving', async () => {
    const bridged = await serveScript(`
      ${LISTS}
      on(({ id, method }) => {
        if (method === 'tools/list') say({ id, result: { tools } });
      });`);
    const session = await greet(bridged.address);
    const waiting = post(bridged.address, request('tools/call', { name: 'wait' }, 'w'), session);
    const trees = (): string => showTrees(bridged.events).join('\n');
    await until('the call is open', () => /wait .*\[wait/.test(trees()));
    const params = { requestId: 'w' };
    const sent = await post(
      bridged.address,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
      session,
    );
    assert.equal(sent.status, 202);
    // MCP: a cancelled request is not answered; a caller that takes JSON alone needs an end of its reply.
    assert.equal((await waiting).text, ': \n\n');
    const json = { ...session, accept: 'application/json' };
    const second = post(bridged.address, request('tools/call', { name: 'wait' }, 'w'), json);
    await until('the call for JSON is open', () => (trees().match(/\[wait/g)?.length ?? 0) === 2);
    await post(bridged.address, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
    assert.match((await second).text, /"id":"w","error"/);
    const leaving = new AbortController();
    const gone = fetch(bridged.address, {
      method: 'POST',
      signal: leaving.signal,
      headers: { accept: BOTH },
      body: JSON.stringify(request('tools/call', { name: 'wait' })),
    }).catch(() => 'gone');
    await until('the last call is open', () => (trees().match(/\[wait/g)?.length ?? 0) === 3);
    leaving.abort();
    assert.equal(await gone, 'gone');
    await until(
      'all calls have ended',
      () => (trees().match(/wait \(target, cancelled\)/g)?.length ?? 0) === 3,
    );
    assert.match(trees(), /\nwait \(target as MCP, cancelled\)/);
  });

  for (const era of ['legacy', 'auto'] as const)
    it(`${era}: hear of changes of the tools`, async () => {
      const bridged = await serveScript(
        `
        const tools = [{ name: 'grow', inputSchema: { type: 'object' } }];
        on(({ id, method }) => {
          if (method === 'tools/list') return say({ id, result: { tools } });
          tools.push({ name: 'grown', inputSchema: { type: 'object' } });
          say({ method: 'notifications/tools/list_changed' });
          say({ id, result: { content: [] } });
        });`.replace('', ''),
      );
      const changes: unknown[] = [];
      const client = new Client(
        { name: 'test', version: '1' },
        {
          versionNegotiation: { mode: era },
          listChanged: {
            tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void changes.push('tools') },
          },
        },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(bridged.address)));
      open.push(client);
      assert.equal((await client.listTools()).tools.length, 1);
      await client.callTool({ name: 'grow', arguments: {} });
      await until('the change is reported', () => changes.length > 0);
      assert.equal((await client.listTools()).tools.length, 2);
    });

  it('learn that the agent is down, and get answers once it is up', async () => {
    const down = await bridge(
      agentOf({ protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:9/aicf' }),
      'mcp',
    );
    open.push(down);
    assert.match(
      (await post(down.address, request('tools/list'))).text,
      /"code":-32603,"message":"[^"]*127\.0\.0\.1:9/,
    );
    const called = await post(down.address, request('tools/call', { name: 'x', arguments: {} }));
    assert.match(called.text, /"code":-32603/);
    const greeted = await post(down.address, request('initialize', { protocolVersion: '2025-11-25' }));
    assert.match(greeted.text, /"serverInfo":\{"name":"target"/);
  });

  it('get JSON alone where they take no events', async () => {
    const { address } = await serveDemo('a2a', 'herald');
    const params = { name: 'ask', arguments: { task: 'Hi' }, _meta: { progressToken: 1 } };
    const plain = await post(address, request('tools/call', params), { accept: 'application/json' });
    assert.match(plain.headers.get('content-type') ?? '', /^application\/json/);
    const events = await post(address, request('tools/call', params));
    assert.match(events.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.match(events.text, /"method":"notifications\/progress","params":\{"progressToken":1,"progress":1/);
  });
});

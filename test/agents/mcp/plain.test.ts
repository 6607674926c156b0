import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { trackConnection } from '../support/send.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { ask, call, closeAll, connect, mcpAt, mcpScript, rpc } from './support.ts';
import { shownPeer } from '../support/shown-peer.ts';

const JSON_TYPE = 'application/json';
const INITIALIZED =
  '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"openstarry-agent","version":"0.1.0"}}}';
const TOOLS =
  '{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"fs.read","description":"Reads a file","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer"}},"required":["path"]}}]}}';

/** JSON over POST, no stream, no session, notifications answered with 200 (reading of OpenStarry, section 5). */
function startOpenStarry(answer: (body: string, id: string) => string): Promise<RawAgent> {
  const agent = startRawAgent((socket, index) => {
    void agent.then(({ requests }) => {
      const body = requests[index]?.split('\r\n\r\n')[1] ?? '';
      const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
      const method = /"method":"([^"]+)"/.exec(body)?.[1] ?? '';
      const unknown = `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}`;
      const known: Record<string, string> = {
        'server/discover': unknown,
        initialize: INITIALIZED.replace('"id":0', `"id":${id}`),
        'notifications/initialized': '{}',
        'notifications/cancelled': '{}',
      };
      socket.end(reply(known[method] ?? answer(body, id), '200 OK', JSON_TYPE));
    });
  });
  return agent;
}

/** The body of a request. */
function bodyOf(agent: RawAgent, index: number): string {
  return agent.requests.at(index)?.split('\r\n\r\n')[1] ?? '';
}

describe("OpenStarry's plain POST", () => {
  afterEach(closeAll);
  afterEach(closeRawAgents);

  it('is spoken: initialize, a list, a call, each as one POST', async () => {
    const agent = await startOpenStarry((_, id) => TOOLS.replace('ID', id));
    const connection = connect(mcpAt(`${agent.origin}/mcp`));
    const listed = await ask(connection, rpc('tools/list'));
    assert.deepEqual(listed.reply, { status: 'ok', isProtocol: true, text: TOOLS.replace('ID', '1') });
    assert.deepEqual(shownPeer(connection.peer), {
      version: '2024-11-05',
      name: 'openstarry-agent 0.1.0',
      capabilities: [],
    });
    assert.deepEqual(
      agent.requests.map(request => /^(\w+ \S+)[^]*"method":"([^"]+)"/.exec(request)?.slice(1).join(' ')),
      [
        'POST /mcp server/discover',
        'POST /mcp initialize',
        'POST /mcp notifications/initialized',
        'POST /mcp tools/list',
      ],
    );
    assert.deepEqual(listed.notes, []);
  });

  it('reports the tokens that an answer counts', async () => {
    const agent = await startOpenStarry(
      (_, id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"_meta":{"usage":{"input_tokens":3}}}}`,
    );
    const events: TraceEvent[] = [];
    const connection = trackConnection(connect(mcpAt(agent.origin)), {
      emit: event => void events.push(event),
      now: () => 1,
      ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
      redactor: new Redactor([]),
    });
    assert.equal((await ask(connection, rpc('tools/call', { name: 'x', arguments: {} }))).reply.status, 'ok');
    const end = events.find(event => event.type === 'end');
    assert.deepEqual(end?.usage, { input: 3 });
  });

  it('tells all pages of its list, and is asked for none twice', async () => {
    const tool = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;
    const agent = await startOpenStarry((body, id) => {
      const cursor = /"cursor":"([^"]*)"/.exec(body)?.[1];
      const name = `page-${cursor ?? 'first'}`;
      const next = cursor === 'b' ? 'a' : cursor === 'a' ? 'b' : 'a';
      return `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tool(name)}],"nextCursor":"${next}"}}`;
    });
    const tools = new KnownTools();
    const connection = connect(mcpAt(agent.origin));
    const notes: string[] = [];
    const listener = { head() {}, bytes() {}, note: (text: string) => void notes.push(text), progress() {} };
    await tools.refresh(connection, {}, listener, new AbortController().signal);
    assert.deepEqual([...tools.table.tools.keys()], ['page-first', 'page-a', 'page-b']);
    assert.deepEqual(notes, ['the list of tools continues after page 3, and is not read further']);
  });

  it('shows all pages of its list, and finds a tool on each of them', async () => {
    const tool = (name: string): string => `{"name":"${name}","inputSchema":{"type":"object"}}`;
    const agent = await startOpenStarry((body, id) => {
      const [name, more] = body.includes('"cursor":"two"')
        ? ['second', '']
        : ['first', ',"nextCursor":"two"'];
      return `{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tool(name)}]${more}}}`;
    });
    const asked = askIn(connect(mcpAt(agent.origin)), {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'send',
    });
    const lines: string[] = [];
    for (const wireText of ['LIST', 'INFO|first', 'INFO|second', 'INFO|third'])
      lines.push((await ask(asked, wireText)).reply.text.trimEnd());
    assert.deepEqual(lines, [
      'TOOLS|first|second',
      'TOOL|first',
      'TOOL|second',
      "ERR|404|Model Context Protocol: there is no tool 'third'",
    ]);
  });

  it('numbers go and come to the letter', async () => {
    const result =
      '{"content":[{"type":"text","text":"é"}],"structuredContent":{"n":9007199254740993,"f":1.0,"e":1e2}}';
    const agent = await startOpenStarry((_, id) => `{"jsonrpc":"2.0", "id":${id},  "result":${result}}`);
    const connection = connect(mcpAt(agent.origin));
    const written =
      '{"name":"t","arguments":{"b":1.0,"1":9007199254740993,"e":[1E+2,-0],"s":"\\u00e9\\n\\""}}';
    const asked = await ask(
      connection,
      `{"jsonrpc":"2.0","id":"mine","method":"tools/call",\n "params":${written}}`,
      { names: { trace: 'a'.repeat(32), call: 'b'.repeat(16), depth: 0 } },
    );
    assert.deepEqual(asked.reply, {
      status: 'ok',
      isProtocol: true,
      text: `{"jsonrpc":"2.0", "id":1,  "result":${result}}`,
    });
    const meta = `"_meta":{"traceparent":"00-${'a'.repeat(32)}-${'b'.repeat(16)}-01","progressToken":1}`;
    assert.equal(
      bodyOf(agent, -1),
      `{"method":"tools/call","params":${written.slice(0, -1)},${meta}},"jsonrpc":"2.0","id":1}`,
    );
  });

  it('the same over stdio, where a line end would end the message', async () => {
    const connection = connect(
      mcpScript(
        `on((message, line) => raw('{"jsonrpc":"2.0","id":' + message.id + ',"result":{"line":' + JSON.stringify(line) + ',"n":1.0}}\\r\\n'));`,
      ),
    );
    const asked = await ask(
      connection,
      '{"jsonrpc":"2.0","method":"x/y","params":{\n  "a": [1.0,\r\n 9007199254740993],\n  "_meta": {"k": 2.50}\n}}',
    );
    const line =
      '{"method":"x/y","params":{"a":[1.0,  9007199254740993],"_meta":{"k":2.50}},"jsonrpc":"2.0","id":1}';
    assert.equal(
      asked.reply.text,
      `{"jsonrpc":"2.0","id":1,"result":{"line":${JSON.stringify(line)},"n":1.0}}`,
    );
    assert.ok(asked.came.endsWith(`${asked.reply.text}\r\n`));
  });

  it('the headers of a request and of the agent go along', async () => {
    const agent = await startOpenStarry((_, id) => TOOLS.replace('ID', id));
    const connection = connect(mcpAt(agent.origin, { headers: new Map([['X-Mine', 'yes']]) }));
    await ask(connection, rpc('tools/list'), {
      headers: new Map([
        ['x-openstarry-trace-id', 'abc'],
        ['x-mine', 'no'],
      ]),
    });
    const heads = agent.requests.map(request => request.toLowerCase());
    assert.ok(
      heads.every(head => head.includes('x-openstarry-trace-id: abc') && head.includes('x-mine: yes')),
    );
    assert.ok(heads.every(head => !head.includes('x-mine: no')));
  });

  it('every request that a call brings about carries its names, over HTTP and as a process', async () => {
    const trace = 'a'.repeat(32);
    const own = 'b'.repeat(16);
    const headers = new Map([
      ['x-openstarry-trace-id', trace],
      ['x-openstarry-trace-depth', '0'],
    ]);
    const options = { headers, names: { trace, call: own, depth: 0 } };
    const agent = await startOpenStarry((body, id) =>
      body.includes('tools/list')
        ? TOOLS.replace('ID', id)
        : `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`,
    );
    const convert = (inner: ReturnType<typeof connect>): ReturnType<typeof askIn> =>
      askIn(inner, {
        protocols: ALL_PROTOCOLS,
        language: 'aicf',
        tools: new KnownTools(),
        warningPolicy: 'hold',
      });
    await ask(convert(connect(mcpAt(agent.origin))), 'CALL|fs.read|/a|2', options);
    const requests = agent.requests.filter(request => request.includes('"id":'));
    assert.deepEqual(
      requests.map(request => [
        /"method":"([^"]+)"/.exec(request)?.[1],
        /"traceparent":"([^"]+)"/.exec(request)?.[1],
        /x-openstarry-trace-id: (\w+)/i.exec(request)?.[1],
        /x-openstarry-trace-depth: (\w+)/i.exec(request)?.[1],
      ]),
      ['server/discover', 'initialize', 'tools/list', 'tools/call'].map(method => [
        method,
        `00-${trace}-${own}-01`,
        trace,
        '0',
      ]),
    );
    const { sent } = await ask(
      convert(
        connect(
          mcpScript(
            "on(({ id, method }) => say({ id, result: method === 'tools/list' ? { tools: [] } : {} }));",
          ),
        ),
      ),
      'LIST',
      options,
    );
    const messages = sent.split('\n').filter(line => line.includes('"id":'));
    assert.deepEqual(
      messages.map(line => {
        const { method, params } = JSON.parse(line) as { method: string; params: { _meta: unknown } };
        const { traceparent, ...names } = params._meta as Record<string, unknown>;
        return [method, traceparent, names['X-OpenStarry-Trace-ID'], names['X-OpenStarry-Trace-Depth']];
      }),
      ['server/discover', 'initialize', 'tools/list'].map(method => [
        method,
        `00-${trace}-${own}-01`,
        trace,
        0,
      ]),
    );
  });

  it('is asked in AICF: arguments by place get the names and types of the schema', async () => {
    const agent = await startOpenStarry((body, id) =>
      body.includes('tools/list')
        ? TOOLS.replace('ID', id)
        : `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"read"}]}}`,
    );
    const connection = askIn(connect(mcpAt(agent.origin)), {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    assert.equal((await ask(connection, 'CALL|fs.read|/a|2')).reply.text, 'OK|read\n');
    const sent: unknown = JSON.parse(bodyOf(agent, -1));
    assert.deepEqual((sent as { params: { arguments: unknown } }).params.arguments, { path: '/a', lines: 2 });
    assert.equal(
      (await ask(connection, 'INFO|fs.read')).reply.text,
      'TOOL|fs.read|Reads a file|path:string|lines:integer?\n',
    );
    assert.match((await ask(connection, 'INFO|fs.rea')).reply.text, /^ERR\|404\|.*did you mean 'fs.read'/);
  });

  it('what is no JSON-RPC request is not sent', async () => {
    const connection = connect(mcpAt('http://127.0.0.1:1/'));
    for (const text of ['LIST', '[]', '{"id":1}', '{"method":"x","params":[1]}']) {
      const { reply: answer, heads } = await ask(connection, text);
      assert.deepEqual([answer.status, answer.code, heads], ['error', 'NOT_SENT', []]);
    }
  });

  it('an error keeps its code and its text', async () => {
    const agent = await startOpenStarry(
      (_, id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-33007,"message":"Recursion depth exceeded"}}`,
    );
    const { status, code, message, isProtocol } = (await ask(connect(mcpAt(agent.origin)), call('a'))).reply;
    assert.deepEqual(
      { status, code, message, isProtocol },
      { status: 'error', code: '-33007', message: 'Recursion depth exceeded', isProtocol: true },
    );
  });
});

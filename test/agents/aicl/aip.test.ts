import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { connectJsonRpc } from '../../../agents/json-rpc/connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** As the running server answers, request by request. */
const SHAKEN =
  '{"jsonrpc":"2.0","id":"handshake","result":{"version":"1.0.0","server":{"name":"probe","version":"1.0.0","capabilities":["tool"]},"session":{"id":"session-1","expires":"2026-11-22T20:38:13.958Z"}}}';
const INVOKED = '{"jsonrpc":"2.0","id":3,"result":{"success":true,"data":{"a":"x"}}}';
const FAILED = '{"jsonrpc":"2.0","id":3,"result":{"success":false,"error":"no such file"}}';
const NO_METHOD = '{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: aip.nope"}}';
const LISTED =
  '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"Echoes","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},"required":["a"]}}]}}';
const CONTEXT = '{"jsonrpc":"2.0","id":1,"result":{"user":"ann"}}';

const INVOKE =
  '{"jsonrpc":"2.0","id":3,"method":"aip.tool.invoke","params":{"tool":"echo","arguments":{"a":"x"}}}';

/** A server that answers each method with bytes written by hand; without an answer it knows no such method. */
async function serve(answers: Readonly<Record<string, string>>): Promise<RawAgent> {
  const agent: RawAgent = await startRawAgent((socket, index) => {
    const method = methodsOf(agent)[index] ?? '';
    socket.end(reply(answers[method] ?? NO_METHOD, '200 OK', JSON_TYPE));
  });
  return agent;
}

function bodiesOf(agent: RawAgent): readonly string[] {
  return agent.requests.map(request => request.slice(request.indexOf('\r\n\r\n') + 4));
}

function methodsOf(agent: RawAgent): readonly string[] {
  return bodiesOf(agent).map(body => (JSON.parse(body) as { method: string }).method);
}

describe('the JSON-RPC endpoint of an AIP server', () => {
  afterEach(closeRawAgents);

  it('is shaken hands with once, and says who it is', async () => {
    const agent = await serve({ 'aip.handshake': SHAKEN, 'aip.tool.invoke': INVOKED });
    const connection = connectJsonRpc(agentAt('json-rpc', `${agent.origin}/aip/v1/rpc`));
    const first = await sendTo(connection, INVOKE);
    await sendTo(connection, INVOKE);
    assert.deepEqual(first.reply, { status: 'ok', isProtocol: true, text: INVOKED });
    assert.deepEqual(connection.peer, { version: '1.0.0', name: 'probe 1.0.0', capabilities: ['tool'] });
    assert.deepEqual(bodiesOf(agent), [
      '{"jsonrpc":"2.0","id":"handshake","method":"aip.handshake","params":{"version":"1.0.0","client":{"name":"Parley","version":"0.1.0","capabilities":["tool","context"]}}}',
      INVOKE,
      INVOKE,
    ]);
  });

  it('that stalls after the handshake is given up, with the time that the whole call may take', async () => {
    const agent: RawAgent = await startRawAgent((socket, index) => {
      // The handshake takes a part of the time, so that less is left than the message states.
      if (index === 0) setTimeout(() => socket.end(reply(SHAKEN, '200 OK', JSON_TYPE)), 100);
    });
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin, { timeout: 1000 }));
    const { reply: given } = await sendTo(connection, INVOKE);
    assert.deepEqual(given, {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'TIMEOUT',
      message: `Tried POST ${agent.origin}/, but no answer began within 1 s; wait for the agent or raise its 'timeout'`,
    });
    await connection.close();
  });

  it('is shaken hands with once by requests that go out together', async () => {
    const agent = await serve({ 'aip.handshake': SHAKEN, 'aip.tool.invoke': INVOKED });
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin));
    const sent = await Promise.all([INVOKE, INVOKE, INVOKE].map(wire => sendTo(connection, wire)));
    assert.deepEqual(
      sent.map(each => each.reply.status),
      ['ok', 'ok', 'ok'],
    );
    assert.deepEqual(methodsOf(agent), [
      'aip.handshake',
      ...Array.from({ length: 3 }, () => 'aip.tool.invoke'),
    ]);
  });

  it('need not know the handshake', async () => {
    const agent = await serve({ 'aip.tool.invoke': INVOKED });
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin));
    assert.equal((await sendTo(connection, INVOKE)).reply.status, 'ok');
    assert.equal(connection.peer, undefined);
  });

  it('answers the handshake of the user', async () => {
    const agent = await serve({ 'aip.handshake': SHAKEN });
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin));
    const wire = '{"jsonrpc":"2.0","id":1,"method":"aip.handshake","params":{"version":"1.0.0"}}';
    assert.equal((await sendTo(connection, wire)).reply.text, SHAKEN);
    assert.deepEqual(bodiesOf(agent), [wire]);
    assert.equal(connection.peer?.name, 'probe 1.0.0');
  });

  it('fails a call by an error, or by a result that says so', async () => {
    const agent = await serve({ 'aip.handshake': SHAKEN, 'aip.tool.invoke': FAILED });
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin));
    assert.deepEqual((await sendTo(connection, INVOKE)).reply, {
      status: 'error',
      message: 'no such file',
      isProtocol: true,
      text: FAILED,
    });
    assert.deepEqual((await sendTo(connection, '{"jsonrpc":"2.0","id":5,"method":"aip.nope"}')).reply, {
      status: 'error',
      code: '-32601',
      message: 'Method not found: aip.nope',
      isProtocol: true,
      text: NO_METHOD,
    });
  });

  it('that is not there yet is shaken hands with later', async () => {
    const agent = await serve({ 'aip.handshake': SHAKEN, 'aip.tool.invoke': INVOKED });
    let url = new URL('http://127.0.0.1:1/');
    const resolved = {
      ...agentAt('json-rpc', agent.origin),
      get url() {
        return url;
      },
    };
    const connection = connectJsonRpc(resolved);
    const { reply: refused, observed } = await sendTo(connection, INVOKE);
    assert.deepEqual([refused.status, refused.code, observed], ['error', 'ECONNREFUSED', []]);
    url = new URL(agent.origin);
    assert.equal((await sendTo(connection, INVOKE)).reply.status, 'ok');
    assert.equal(connection.peer?.name, 'probe 1.0.0');
  });

  it('is asked in AICF', async () => {
    const answers = {
      'aip.handshake': SHAKEN,
      'aip.capabilities.list': LISTED,
      'aip.tool.invoke': INVOKED,
      'aip.context.get': CONTEXT,
    };
    const agent = await serve(answers);
    const connection = connectJsonRpc(agentAt('json-rpc', agent.origin));
    const asked = askIn(connection, {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    const ask = async (line: string): Promise<string> => (await sendTo(asked, line)).reply.text;
    assert.equal(await ask('LIST'), 'TOOLS|echo\n');
    assert.equal(await ask('INFO|echo'), 'TOOL|echo|Echoes|a:string|n:integer?\n');
    assert.equal(await ask('CALL|echo|x|3'), 'OK|{"success":true,"data":{"a":"x"}}\n');
    assert.equal(await ask('CALL|aip.context.get'), 'OK|{"user":"ann"}\n');
    const { observed } = await sendTo(asked, 'LIST');
    assert.deepEqual(
      observed.filter(line => line.startsWith('note')),
      ['note: tools[0].description and 1 other: A list of tools in AICF holds nothing but their names'],
    );
    const [invoked, context] = bodiesOf(agent).slice(-3);
    assert.deepEqual(
      [invoked, context],
      [
        '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"echo","arguments":{"a":"x","n":3}}}',
        '{"jsonrpc":"2.0","id":1,"method":"aip.context.get","params":{}}',
      ],
    );
  });
});

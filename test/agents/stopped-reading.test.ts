import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { protocolOf } from '../support/protocol.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../agents/converting/converting-connection.ts';
import type { Connection, Reply, Sender, WireListener } from '../../agents/connection.ts';
import { connectA2a } from '../../agents/a2a/connection.ts';
import { AioProcessConnection } from '../../agents/aio/process-connection.ts';
import { connectJsonRpc } from '../../agents/json-rpc/connection.ts';
import { McpCall } from '../../agents/mcp/call.ts';
import type { McpCallTerms } from '../../agents/mcp/call-terms.ts';
import type { McpRequest } from '../../agents/mcp/request-text.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { readWithin } from '../../agents/slices.ts';
import { DEFAULT_STDIO_LIMITS } from '../../agents/stdio/limits.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import { Report } from '../../core/message/report.ts';
import { closeRawAgents, startRawAgent } from './support/raw-agent.ts';
import { agentAt } from './support/send.ts';
import { scriptAgent } from './support/stdio-agent.ts';

/** A reply that takes long to read for its size. */
const BODY = `{"jsonrpc":"2.0","id":1,"result":[${'[],'.repeat(300_000)}0]}`;

async function connect(): Promise<Connection> {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  const agent = await startRawAgent(socket => void socket.write(head + BODY));
  return connectJsonRpc(agentAt('json-rpc', agent.origin));
}

/** Sends a request that is stopped as soon as all of its reply has come. */
async function sendAndStop(connection: Sender, wireText: string): Promise<Reply> {
  const stop = new AbortController();
  let received = 0;
  const listener: WireListener = {
    head: () => undefined,
    bytes(direction, { length }) {
      received += direction === 'in' ? length : 0;
      if (received >= BODY.length) setImmediate(() => stop.abort());
    },
    note: () => undefined,
    progress: () => undefined,
  };
  return connection.send({ wireText }, listener, stop.signal);
}

const SILENT: WireListener = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};

const ASKED: McpRequest = { method: 'x/y', params: undefined, isRequest: true, members: new Map() };

const MCP_TERMS: McpCallTerms = {
  idle: 60_000,
  total: undefined,
  maxLateBytes: 0,
  describeTimeout: () => ({ kind: 'timeout', code: 'TIMEOUT', message: '' }),
  describeCancelled: () => ({ kind: 'cancelled', code: 'CANCELLED', message: '' }),
};

describe('a call whose reply is being read', () => {
  afterEach(closeRawAgents);

  it('ends when it is stopped, with all that came', async () => {
    const connection = await connect();
    const { message, ...reply } = await sendAndStop(connection, '{"jsonrpc":"2.0","id":1,"method":"read"}');
    assert.deepEqual(reply, { status: 'cancelled', code: 'CANCELLED', text: BODY, isProtocol: false });
    assert.match(message ?? '', /was cancelled after /);
  });

  it('ends when it is stopped where its reply is converted as well', async () => {
    const inner = await connect();
    const connection = askIn(inner, {
      protocols: ALL_PROTOCOLS,
      language: 'aicl',
      tools: new KnownTools(),
      warningPolicy: 'send',
    });
    const { status, text } = await sendAndStop(
      connection,
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:tool_call],[s:tool_name]:[s:read],[s:parameters]:[d:]]',
    );
    assert.deepEqual({ status, text }, { status: 'cancelled', text: BODY });
  });

  it('ends when it is stopped where the agent speaks A2A', async () => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
    const agent = await startRawAgent((socket, index) => {
      const isCard = agent.requests[index]?.startsWith('GET') === true;
      socket.write(isCard ? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n' : head + BODY);
    });
    const { status, code, text } = await sendAndStop(
      connectA2a(agentAt('a2a', agent.origin)),
      '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}',
    );
    assert.deepEqual({ status, code, text }, { status: 'cancelled', code: 'CANCELLED', text: BODY });
  });

  it('ends when it is stopped where the agent is a process, which goes on to answer others', async () => {
    const script = `on((line, count) => say(count === 0 ? '${BODY.slice(0, 34)}' + '[],'.repeat(300000) + '0]}\\n' : '{"jsonrpc":"2.0","id":2,"result":{}}\\n'));`;
    const connection = new AioProcessConnection(
      scriptAgent(script, { protocol: 'aio' }),
      DEFAULT_STDIO_LIMITS,
    );
    const { status, code, text } = await sendAndStop(connection, '{"jsonrpc":"2.0","id":1,"method":"read"}');
    assert.deepEqual({ status, code, text }, { status: 'cancelled', code: 'CANCELLED', text: BODY });
    const next = await sendAndStop(connection, '{"jsonrpc":"2.0","id":2,"method":"read"}');
    assert.equal(next.text, '{"jsonrpc":"2.0","id":2,"result":{}}');
    await connection.close();
  });

  it('ends when it is stopped where an MCP server tells a long failure', async () => {
    const call = new McpCall({ wireText: '' }, ASKED, MCP_TERMS, SILENT);
    const text = BODY.replace('"result":', '"error":');
    call.answerWith({ text, value: JSON.parse(text) });
    assert.equal(call.isOpen, true);
    setImmediate(() => call.cancel());
    const { status, code } = await call.reply;
    assert.deepEqual({ status, code }, { status: 'cancelled', code: 'CANCELLED' });
  });

  it('ends when its time is over', async () => {
    const reader = new ReplyReader(protocolOf('json-rpc'), {
      protocols: ALL_PROTOCOLS,
      tools: NO_TOOLS,
      report: new Report(),
    });
    reader.push(BODY);
    const late = { signals: [], deadline: performance.now() };
    assert.deepEqual(await readWithin(reader.endSteps(), late), { ended: 'timeout' });
  });
});

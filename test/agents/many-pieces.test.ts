import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../agents/all.ts';
import type { Connection } from '../../agents/connection.ts';
import { closeRawAgents, startRawAgent } from './support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from './support/send.ts';
import { scriptAgent } from './support/stdio-agent.ts';
import { mcpScript } from './mcp/support.ts';

/** So many things come at once. */
const COUNT = 3_000;
/** What hears of them is called no more often than this: once for each piece that the system reads, and some more. */
const MAX_CALLS = 40;

const NOISE = '{\n[\n'.repeat(COUNT / 2);

async function sendAndClose(connection: Connection, wireText: string): Promise<Sent> {
  try {
    return await sendTo(connection, wireText);
  } finally {
    await connection.close();
  }
}

/** The callbacks are few, and each byte is observed once, in order. */
function checkPieces({ pieces }: Sent, expected: string): void {
  assert.ok(pieces.length <= MAX_CALLS, `${pieces.length} calls`);
  assert.ok(pieces.join('').includes(expected), 'all bytes in their order');
}

describe('a reply of very many small pieces', () => {
  afterEach(closeRawAgents);

  const body = `OK|${'ab'.repeat(COUNT / 2)}`;
  const chunks = [...body].map(letter => `1\r\n${letter}\r\n`).join('');

  /** Sends the chunks in packets of their own, with this behind them. */
  async function sendChunks(end: string): Promise<Sent> {
    const agent = await startRawAgent(socket => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n');
      setTimeout(() => socket.end(chunks + end), 20);
    });
    return sendAndClose(connectAgent(agentAt('aicl', `${agent.origin}/`)), '[d:[s:a]:[i:1]]');
  }

  it('as chunks of HTTP is observed in few pieces', async () => {
    const sent = await sendChunks('0\r\n\r\n');
    checkPieces(sent, body);
    assert.deepEqual([sent.reply.code, sent.reply.text], ['HTTP 200', `\n${body}`]);
  });

  it('as truncated chunks of HTTP is observed to its last byte', async () => {
    const sent = await sendChunks('xyz\r\n');
    checkPieces(sent, body);
    assert.deepEqual([sent.reply.status, sent.reply.text], ['error', `\n${body}`]);
  });

  it('as lines of an AIO process that are no reply is observed in few pieces', async () => {
    const script = `on(line => say(line.includes('help') ? '{"result":{"type":"stdio"}}\\n' : ${JSON.stringify(`${NOISE}{"result":"fine"}\n`)}));`;
    const connection = connectAgent(scriptAgent(script, { protocol: 'aio', mode: 'lines' }));
    const sent = await sendAndClose(connection, '{"method":"agent::go"}');
    checkPieces(sent, `${NOISE}{"result":"fine"}\n`);
    assert.deepEqual([sent.reply.status, sent.reply.text], ['ok', '{"result":"fine"}']);
    assert.match(
      sent.observed.join('\n'),
      /note: The agent wrote text to its output that is not a valid AIO reply/,
    );
  });

  it('as lines of an MCP process that are no message is observed in few pieces', async () => {
    const script = `on(message => { raw(${JSON.stringify(NOISE)}); say({ id: message.id, result: {} }); });`;
    const sent = await sendAndClose(
      connectAgent(mcpScript(script)),
      '{"jsonrpc":"2.0","id":1,"method":"x/y"}',
    );
    checkPieces(sent, NOISE);
    assert.equal(sent.reply.status, 'ok');
    assert.match(
      sent.observed.join('\n'),
      /note: The agent wrote text to its output that is not a valid JSON-RPC message/,
    );
  });
});

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../agents/all.ts';
import { PROTOCOLS } from '../../core/catalog/protocols.ts';
import { startHandAgent } from './support/hand-agents.ts';
import { HAND_SCRIPTS } from './support/hand-scripts.ts';
import { closeRawAgents, startRawAgent, until } from './support/raw-agent.ts';
import { agentAt, sendTo } from './support/send.ts';

/** A thousand times as much as it is. */
const BOMB = gzipSync(Buffer.alloc(2 ** 26));

function packed(encoding: string, type: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${BOMB.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), BOMB]);
}

describe('an agent that compresses its reply although it was asked for a plain one', () => {
  afterEach(closeRawAgents);

  for (const { name: protocol } of PROTOCOLS)
    for (const [encoding, type] of [
      ['gzip', 'application/json'],
      ['X-GZip, br', 'text/event-stream'],
    ] as const)
      it(`${protocol}, ${type}: is reported in one sentence, is not decompressed, and the next request works`, async () => {
        const script = HAND_SCRIPTS[protocol];
        const agent = await startHandAgent(script, 0, socket => void socket.end(packed(encoding, type)));
        const connection = connectAgent(agentAt(protocol, `${agent.origin}/`));
        const sent = await sendTo(connection, script.hang.request);
        assert.deepEqual(sent.reply, {
          status: 'error',
          code: 'COMPRESSED',
          message: `Tried POST ${agent.origin}/: 200 OK came with a compressed body ('${encoding}', ${BOMB.length} bytes) although Parley asked for an uncompressed one, and it was not decompressed; turn compression off in the agent or in the proxy before it`,
          text: '',
          isProtocol: false,
        });
        assert.deepEqual(
          [sent.observed.filter(line => line.startsWith('note')), sent.progress.join('')],
          [[], ''],
        );
        const came = Buffer.from(sent.pieces.join(''), 'latin1');
        assert.ok(came.subarray(-BOMB.length).equals(BOMB), 'its bytes are kept as they came');
        assert.match(agent.requests.at(-1) ?? '', /\r\naccept-encoding: identity\r\n/i);
        assert.equal((await sendTo(connection, script.call.request)).reply.status, 'ok');
        await connection.close();
        await until('all sockets are closed', () => agent.countSockets() === 0);
      });

  for (const protocol of ['mcp', 'a2a', 'aio', 'json-rpc'] as const)
    it(`${protocol}: the same in place of what it says of itself`, async () => {
      const agent = await startRawAgent(socket => void socket.end(packed('gzip', 'application/json')));
      const { reply: answer } = await sendTo(
        connectAgent(agentAt(protocol, `${agent.origin}/`)),
        HAND_SCRIPTS[protocol].call.request,
      );
      assert.deepEqual([answer.status, answer.code, answer.text], ['error', 'COMPRESSED', '']);
      assert.match(answer.message ?? '', /^Tried \w+ .* came with a compressed body \('gzip', \d+ bytes\)/);
    });

  it('an empty body is not compressed, whatever its head says', async () => {
    const head =
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    const agent = await startRawAgent(socket => void socket.end(head));
    const { reply: answer } = await sendTo(connectAgent(agentAt('aicf', `${agent.origin}/`)), 'LIST');
    assert.deepEqual([answer.status, answer.code], ['error', 'HTTP 200']);
    assert.match(answer.message ?? '', /came with an empty body/);
  });
});

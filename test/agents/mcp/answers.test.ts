import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { ask, closeAll, connect, mcpAt, rpc } from './support.ts';

const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';

/** So many requests of its own the server sends at once, of which each is answered by an exchange. */
const QUESTIONS = 100;

describe('the answers to a server of MCP over HTTP that asks very often', () => {
  afterEach(async () => {
    await closeAll();
    await closeRawAgents();
  });

  it('all go out, and few at a time', async () => {
    const answered = new Set<string>();
    let open = 0;
    let most = 0;
    let finish: () => void = () => undefined;
    const agent: RawAgent = await startRawAgent((socket, index) => {
      const [, body = ''] = agent.requests[index]?.split('\r\n\r\n') ?? [];
      const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
      const answer = (member: string): void =>
        void socket.end(reply(`{"jsonrpc":"2.0","id":${id},${member}}`, '200 OK', 'application/json'));
      if (body.includes('"server/discover"')) answer('"error":{"code":-32601,"message":"no"}');
      else if (body.includes('"initialize"'))
        answer(
          '"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}',
        );
      else if (body.includes('"x/y"')) {
        finish = () => void socket.end(`data: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`);
        for (let each = 0; each < QUESTIONS; each++)
          socket.write(
            `${each === 0 ? EVENTS : ''}data: {"jsonrpc":"2.0","id":"q${each}","method":"ping"}\n\n`,
          );
      } else if (body.includes('"result"')) {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          answered.add(id);
          socket.end(reply('', '202 Accepted'));
          if (answered.size === QUESTIONS) finish();
        }, 20);
      } else socket.end(reply('', '202 Accepted'));
    });
    const { reply: came } = await ask(connect(mcpAt(`${agent.origin}/`)), rpc('x/y'));
    assert.deepEqual([came.status, answered.size], ['ok', QUESTIONS]);
    assert.ok(most <= 16, `${most} at a time`);
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, startRawAgent, until } from '../support/raw-agent.ts';
import { closeProxies, lineOf, record, Tape } from './support.ts';

function event(message: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}

describe('requests of an MCP server that its caller does not answer', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  it('ends with the call within which it was asked', async () => {
    const agent = await startRawAgent(socket => {
      const question = event({ id: 0, method: 'elicitation/create', params: {} });
      const answer = event({ id: 1, result: { content: [] } });
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${question}${answer}`,
      );
    });
    const tape = new Tape();
    const proxy = await record(`${agent.origin}/mcp`, tape);
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{}}}';
    await (await fetch(proxy.address, { method: 'POST', body })).text();
    await until('the call is over', () => tape.calls()[0]?.status === 'ok');
    await closeProxies();
    assert.deepEqual(
      tape.calls().map(node => [lineOf(node), node.parentage, node.message]),
      [
        ['mcp · ask · ok', 'root', undefined],
        ['mcp · elicitation/create · incomplete', 'named', 'The enclosing call ended before an answer came'],
      ],
    );
  });
});

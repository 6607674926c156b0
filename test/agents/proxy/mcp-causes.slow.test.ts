import assert from 'node:assert/strict';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readParts } from '../../../protocols/reply-parts/parts-reader.ts';
import { findPort, startEverything } from '../mcp/support.ts';
import { until } from '../support/raw-agent.ts';
import { closeProxies, lineOf, record, Tape, wireOf } from './support.ts';

describe('the official client and server of MCP 2024-11-05', () => {
  afterEach(closeProxies);

  it('are recorded with each question and each progress at its own call', async () => {
    const server = await startEverything('sse', await findPort());
    const tape = new Tape();
    const proxy = await record(server.url, tape, { agent: 'everything' });
    const client = new Client(
      { name: 'client', version: '1.0.0' },
      { capabilities: { sampling: {}, roots: {}, elicitation: {} } },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a', name: 'a' }] }));
    client.setRequestHandler('sampling/createMessage', () => ({
      model: 'm',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'sampled' },
    }));
    await client.connect(new SSEClientTransport(new URL(proxy.address)));
    // The server asks for the roots and logs them on its own.
    await until('it has the roots', () =>
      tape.calls().some(node => wireOf(node, 'in').includes('notifications/message')),
    );
    const slow = client.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 2 } },
      { onprogress: () => undefined },
    );
    await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: 'x', maxTokens: 5 } });
    await slow;
    await client.close();
    await closeProxies();
    await server.stop();
    const find = (title: string): readonly unknown[] =>
      tape
        .calls()
        .filter(({ call }) => call.title === title)
        .map(node => ({
          call: lineOf(node),
          parts: readParts(ALL_PROTOCOLS.find('mcp'), node.payload, 'ended').parts.map(({ kind }) => kind),
          below: node.children.map(lineOf),
        }));
    assert.deepEqual(find('trigger-long-running-operation'), [
      {
        call: 'mcp · trigger-long-running-operation · ok',
        parts: ['progress', 'result'],
        below: [],
      },
    ]);
    assert.deepEqual(find('trigger-sampling-request'), [
      {
        call: 'mcp · trigger-sampling-request · ok',
        parts: ['request', 'result'],
        below: ['mcp · sampling/createMessage · ok'],
      },
    ]);
  });
});

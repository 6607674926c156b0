import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { agentOf, bridge, startListener, type TestBridge } from './support.ts';

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

interface Broken {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** What callers learn. */
  readonly says: RegExp;
}

const RESPONSE =
  '{"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[{"id":"m","type":"messag';
const AGENT_API = 'data: {"object":"response","id":"r","status":"completed","output":[{"object":"mess';
const A2A = '{"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"1","role":"agent","par';

/** Replies that end within their JSON although the connection does not. */
const BROKEN: readonly Broken[] = [
  {
    protocol: 'responses',
    path: 'v1/responses',
    type: JSON_TYPE,
    body: RESPONSE,
    says: /reply is incomplete/,
  },
  { protocol: 'agent-api', path: 'process', type: EVENTS, body: AGENT_API, says: /ended within an event/ },
  { protocol: 'a2a', path: 'a2a', type: JSON_TYPE, body: A2A, says: /the JSON of the reply is incomplete/ },
];

const LIMITED = JSON.stringify({
  id: 'r',
  object: 'response',
  created_at: 1,
  status: 'incomplete',
  incomplete_details: { reason: 'max_output_tokens' },
  model: 'm',
  output: [],
});

const TASKS = {
  mcp: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { task: 'Hello' } },
  },
  responses: { model: 'target', input: 'Hello' },
};

describe('a reply of an agent that was cut off', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const serve = async ({ protocol, path, type, body }: Broken, as: ProtocolName): Promise<TestBridge> => {
    const agent = await startListener((request, response) => {
      request.resume();
      const isCard = request.method === 'GET';
      const card = {
        protocolVersion: '0.3.0',
        name: 'a',
        description: 'd',
        version: '1',
        url: agent.address,
      };
      const published = JSON.stringify({ ...card, capabilities: {}, skills: [] });
      request.on('end', () =>
        response.writeHead(200, { 'content-type': isCard ? JSON_TYPE : type }).end(isCard ? published : body),
      );
    });
    const bridged = await bridge(agentOf({ protocol, type: 'http', url: agent.address + path }), as);
    open.push(agent, bridged);
    return bridged;
  };

  const ask = async (broken: Broken, as: 'mcp' | 'responses'): Promise<readonly [number, string]> => {
    const { address } = await serve(broken, as);
    const response = await fetch(address, { method: 'POST', body: JSON.stringify(TASKS[as]) });
    return [response.status, await response.text()];
  };

  for (const broken of BROKEN)
    it(`is no answer of ${broken.protocol}`, async () => {
      const [, text] = await ask(broken, 'mcp');
      assert.match(text, broken.says);
      assert.match(text, /"error":\{"code":-32603/);
      const [status, response] = await ask(broken, 'responses');
      // What was read of an output is a part of the answer.
      if (broken.protocol === 'responses') return assert.match(response, /"status":"incomplete"/);
      assert.equal(status, 502);
      assert.match(response, broken.says);
    });

  it('is none where the head of the agent is longer than HTTP clients take', async () => {
    const agent = await startListener((request, response) => {
      request.resume();
      request.on('end', () =>
        response.writeHead(200, { 'content-type': JSON_TYPE, 'x-long': 'x'.repeat(60_000) }).end(LIMITED),
      );
    });
    const url = `${agent.address}v1/responses`;
    const bridged = await bridge(agentOf({ protocol: 'responses', type: 'http', url }), 'responses');
    open.push(agent, bridged);
    const { status } = await fetch(bridged.address, {
      method: 'POST',
      body: JSON.stringify(TASKS.responses),
    });
    assert.equal(status, 502);
  });

  it('has the reason of the agent where it ended the reply itself', async () => {
    const limited = { protocol: 'responses', path: 'v1/responses', type: JSON_TYPE, body: LIMITED } as const;
    const [status, text] = await ask({ ...limited, says: /./ }, 'responses');
    assert.equal(status, 200);
    assert.match(
      text,
      /"status":"incomplete","error":null,"incomplete_details":\{"reason":"max_output_tokens"\}/,
    );
  });
});

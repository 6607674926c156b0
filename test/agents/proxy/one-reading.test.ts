import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { closeProxies, lineOf, record, Tape } from './support.ts';

const events = (...given: readonly object[]): string =>
  given.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');

const REQUESTS = {
  responses: '{"model":"m","input":"hi"}',
  // Nothing in this body says whether it is of the Agent API or of Responses.
  'agent-api': '{"input":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}',
  'json-rpc': '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"t","arguments":{}}}',
} as const;

const PATHS = { responses: '/v1/responses', 'agent-api': '/process', 'json-rpc': '/aip/v1/rpc' } as const;

type Name = keyof typeof REQUESTS & ProtocolName;

interface Case {
  readonly protocol: Name;
  readonly body: string;
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
}

const RESPONSE = { id: 'r', object: 'response', model: 'm', output: [] };
const AGENT = { object: 'response', id: 'r', created_at: 1, output: null };
const WORD = { object: 'content', type: 'text', delta: true, index: 0, msg_id: 'm', text: 'Hi' };

const CASES: Readonly<Record<string, Case>> = {
  'a response that was cancelled': {
    protocol: 'responses',
    body: JSON.stringify({ ...RESPONSE, status: 'cancelled' }),
    status: 'cancelled',
  },
  'a streamed response that was cancelled': {
    protocol: 'responses',
    body: events(
      {
        type: 'response.created',
        sequence_number: 0,
        response: { ...RESPONSE, status: 'in_progress' },
      },
      {
        type: 'response.cancelled',
        sequence_number: 1,
        response: { ...RESPONSE, status: 'cancelled', error: { code: 'gone', message: 'The user left' } },
      },
    ),
    status: 'cancelled',
  },
  'a response that is cut': {
    protocol: 'responses',
    body: JSON.stringify({ ...RESPONSE, status: 'completed' }).slice(0, -9),
    status: 'incomplete',
  },
  'a run that was cancelled': {
    protocol: 'agent-api',
    body: events({ ...AGENT, status: 'created' }, WORD, { ...AGENT, status: 'canceled' }),
    status: 'cancelled',
  },
  'a run that was rejected': {
    protocol: 'agent-api',
    body: events({ ...AGENT, status: 'created' }, { ...AGENT, status: 'rejected' }),
    status: 'error',
  },
  'a run whose connection to its model broke': {
    protocol: 'agent-api',
    body: events({ ...AGENT, status: 'created' }, WORD, { error: 'Broken pipe' }),
    status: 'error',
  },
  'a run that is cut': {
    protocol: 'agent-api',
    body: JSON.stringify({ ...AGENT, status: 'completed' }).slice(0, -9),
    status: 'incomplete',
  },
  'a result that is cut': {
    protocol: 'json-rpc',
    body: '{"jsonrpc":"2.0","id":1,"result":{"a":',
    status: 'incomplete',
  },
};

describe('a reply as it is sent and as it is recorded', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const [name, { protocol, body, status }] of Object.entries(CASES))
    it(`has one outcome: ${name}`, async () => {
      const type = body.startsWith('data:') ? 'text/event-stream' : 'application/json';
      const agent = await startRawAgent(socket => void socket.end(reply(body, '200 OK', type)));
      const tape = new Tape();
      const proxy = await record(`${agent.origin}/`, tape);
      const connection = connectAgent(agentAt(protocol, new URL(PATHS[protocol], proxy.address).href));
      const sent = await sendTo(connection, REQUESTS[protocol]);
      await connection.close();
      await proxy.close();
      const recorded = tape.calls().at(-1);
      assert.equal(recorded?.call.protocol, protocol);
      assert.deepEqual([sent.reply.status, recorded.status], [status, status]);
      assert.equal(recorded.code, 'code' in sent.reply ? sent.reply.code : undefined);
    });
});

describe('a server with a protocol at each path', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  it('is recorded in the protocol of each path, although their requests look alike', async () => {
    const stream = events({ ...AGENT, status: 'created' }, WORD, { ...AGENT, status: 'completed' });
    const agent = await startRawAgent((socket, index) => {
      const isAgent = agent.requests[index]?.startsWith('POST /process') === true;
      const body = isAgent ? stream : JSON.stringify({ ...RESPONSE, status: 'completed' });
      socket.end(reply(body, '200 OK', isAgent ? 'text/event-stream' : 'application/json'));
    });
    const tape = new Tape();
    const proxy = await record(`${agent.origin}/`, tape);
    for (const name of ['responses', 'agent-api', 'responses', 'agent-api'] as const)
      await fetch(new URL(PATHS[name], proxy.address), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: REQUESTS[name],
      }).then(given => given.arrayBuffer());
    await proxy.close();
    assert.deepEqual(tape.calls().map(lineOf), [
      'responses · hi · ok',
      'agent-api · hi · ok',
      'responses · hi · ok',
      'agent-api · hi · ok',
    ]);
  });
});

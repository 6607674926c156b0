import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { parseJson } from '../../../core/text/json.ts';
import { agentOf, at, bridge, startListener } from './support.ts';

/** Chunks that are longer than a block of the bridge, and that JSON has as they are or with escapes. */
const CHUNKS = [
  'The quick brown fox. '.repeat(5000),
  '"Quoted", \\, a tab\t and a line end\n. '.repeat(3000),
  'é 中 🙂 \u2028 \u0001'.repeat(4000),
];
const TEXT = CHUNKS.join('');
/** The text as JSON has it, between its quotation marks. */
const PRINTED = JSON.stringify(TEXT).slice(1, -1);

const RPC = { jsonrpc: '2.0', id: 1 };

/** A request that is answered by a stream, the texts of a chunk's event, and the number of events with the whole text. */
const CALLS: readonly (readonly [
  ProtocolName,
  body: object,
  textOf: (event: unknown) => unknown,
  wholes: number,
])[] = [
  [
    'agent-api',
    { input: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] },
    event => (at(event, 'delta') === true ? at(event, 'text') : undefined),
    3,
  ],
  [
    'responses',
    { model: 'target', input: 'go', stream: true },
    event => (at(event, 'type') === 'response.output_text.delta' ? at(event, 'delta') : undefined),
    4,
  ],
  [
    'a2a',
    {
      ...RPC,
      method: 'message/stream',
      params: {
        message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] },
      },
    },
    event => at(event, 'result', 'artifact', 'parts', 0, 'text'),
    0,
  ],
  [
    'mcp',
    {
      ...RPC,
      method: 'tools/call',
      params: { name: 'ask', arguments: { task: 'go' }, _meta: { progressToken: 1 } },
    },
    event => at(event, 'params', 'message'),
    1,
  ],
];

describe('long texts in a bridge', () => {
  const open: { close: () => unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
  });

  for (const [as, body, textOf, wholes] of CALLS)
    it(`reach callers of ${as} unchanged`, async () => {
      const agent = await startListener((request, response) => {
        request.resume();
        response.setHeader('content-type', 'text/event-stream');
        const events = CHUNKS.map(text => ({ object: 'content', status: 'in_progress', type: 'text', text }));
        for (const [number, event] of events.entries()) {
          const named = { sequence_number: number, ...event, index: 0, delta: true, msg_id: 'm' };
          response.write(`data: ${JSON.stringify(named)}\n\n`);
        }
        response.end(
          `data: {"sequence_number":${CHUNKS.length},"object":"response","id":"r","status":"completed"}\n\n`,
        );
      });
      open.push(agent);
      const bridged = await bridge(agentOf({ protocol: 'agent-api', type: 'http', url: agent.address }), as);
      open.push(bridged);
      const response = await fetch(bridged.address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      });
      const reply = await response.text();
      const lines = reply.split('\n').filter(line => line.startsWith('data: '));
      const events = lines.map(line => parseJson(line.slice('data: '.length)));
      const texts = events.map(textOf).filter(text => typeof text === 'string');
      assert.ok(texts.join('') === TEXT);
      assert.equal(reply.split(PRINTED).length - 1, wholes);
    });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { PROTOCOLS, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { startHandAgent } from '../support/hand-agents.ts';
import { HAND_SCRIPTS } from '../support/hand-scripts.ts';
import { closeRawAgents } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { closeProxies, lineOf, record, Tape } from './support.ts';

const WHY = 'Recursion limit reached: depth 6, limit 5. The call was not forwarded';
const DEEP = new Map([
  ['X-OpenStarry-Trace-ID', 'run'],
  ['X-OpenStarry-Trace-Depth', '6'],
]);

/** What a caller receives, and what the trace says of the exchanges: the card of A2A passes, because it leads to no call. */
const TOLD: Readonly<Record<ProtocolName, readonly [code: string, ...calls: string[]]>> = {
  mcp: ['-33007', 'mcp · server/discover · error · -33007', 'mcp · initialize · error · -33007'],
  a2a: ['-33007', 'a2a · agent card · ok', 'a2a · message/stream · error · -33007'],
  'json-rpc': ['500', 'json-rpc · aip.handshake · error · 500', 'json-rpc · aip.tool.invoke · error · 500'],
  aio: ['-33007', 'aio · help · error · -33007', 'aio · echo · error · -33007'],
  aicf: ['500', 'aicf · echo · error · 500'],
  aicl: ['5005', 'aicl · echo · error · 5005'],
  'agent-api': ['508', 'agent-api · echo · error · 508'],
  responses: ['508', 'responses · echo · error · 508'],
};

describe('a call that the recursion guard refuses', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const { name } of PROTOCOLS)
    it(`is an error of ${name} to its client, which says why`, async () => {
      const script = HAND_SCRIPTS[name];
      const agent = await startHandAgent(script);
      const tape = new Tape();
      const guard = new RecursionGuard(5);
      const proxy = await record(`${agent.origin}/`, tape, { rewritesCards: true, guard });
      const connection = connectAgent(agentAt(name, `${proxy.address}/`, { headers: DEEP }));
      const { reply } = await sendTo(connection, script.call.request);
      await connection.close();
      await closeProxies();
      const [code, ...calls] = TOLD[name];
      const message = name === 'aicl' ? `RECURSION_GUARD: ${WHY}` : WHY;
      assert.deepEqual(reply, { status: 'error', isProtocol: true, code, message, text: reply.text });
      assert.deepEqual(tape.calls().map(lineOf), calls);
      assert.deepEqual(
        agent.requests.filter(request => request.startsWith('POST')),
        [],
      );
    });
});

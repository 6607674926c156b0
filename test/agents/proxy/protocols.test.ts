import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { startHandAgent } from '../support/hand-agents.ts';
import { HAND_SCRIPTS } from '../support/hand-scripts.ts';
import { closeRawAgents } from '../support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from '../support/send.ts';
import { closeProxies, lineOf, record, Tape } from './support.ts';

/** What a recording tells of the requests of a script: each exchange in a line. */
const CALLS: Readonly<Record<ProtocolName, readonly string[]>> = {
  aicf: ['aicf · LIST · ok', 'aicf · echo · ok', 'aicf · fail · error · 500', 'aicf · count · ok'],
  aicl: ['aicl · tools · ok', 'aicl · echo · ok', 'aicl · fail · error · 5000', 'aicl · count · ok'],
  'json-rpc': [
    'json-rpc · aip.handshake · ok',
    'json-rpc · aip.capabilities.list · ok',
    'json-rpc · aip.tool.invoke · ok',
    'json-rpc · aip.nope · error · -32602',
  ],
  aio: ['aio · help · ok', 'aio · list · ok', 'aio · echo · ok', 'aio · fail · error · -32602'],
  mcp: [
    'mcp · server/discover · error · -32601',
    'mcp · initialize · ok',
    'mcp · notifications/initialized · ok',
    'mcp · listen for messages · ok',
    'mcp · tools/list · ok',
    'mcp · echo · ok',
    'mcp · fail · error · -32602',
    'mcp · count · ok',
  ],
  'agent-api': ['agent-api · echo · ok', 'agent-api · fail · error · 500', 'agent-api · count · ok'],
  responses: ['responses · echo · ok', 'responses · fail · error · server_error', 'responses · count · ok'],
  a2a: [
    'a2a · agent card · ok',
    'a2a · message/stream · ok',
    'a2a · message/stream · error · -32602',
    'a2a · message/stream · ok',
  ],
};

describe('a recording of an agent', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const [protocol, script] of Object.entries(HAND_SCRIPTS)) {
    it(`of ${protocol}: callers see what they see without it, and each exchange is a call`, async () => {
      const name = protocol as ProtocolName;
      const agent = await startHandAgent(script);
      const tape = new Tape();
      const proxy = await record(`${agent.origin}/`, tape, { rewritesCards: true });
      const asked = [
        ...('list' in script ? [script.list.request] : []),
        script.call.request,
        script.failure.request,
        ...('stream' in script && script.stream ? [script.stream.request] : []),
      ];
      const direct = await sendAll(name, `${agent.origin}/`, asked);
      const passed = await sendAll(name, `${proxy.address}/`, asked);
      // A reader gets chunks that arrive together as one.
      const normal = (sent: Sent): unknown =>
        JSON.parse(
          JSON.stringify({ ...sent, pieces: sent.pieces.join(''), progress: sent.progress.join('') })
            .replaceAll(proxy.address, agent.origin)
            .replace(/AIO-TR-\d+-\d+/g, 'AIO'),
        );
      assert.deepEqual(passed.map(normal), direct.map(normal));
      await proxy.close();
      assert.deepEqual(tape.calls().map(lineOf), CALLS[name]);
    });
  }
});

async function sendAll(
  protocol: ProtocolName,
  url: string,
  asked: readonly string[],
): Promise<readonly Sent[]> {
  const connection = connectAgent(agentAt(protocol, url));
  const sent: Sent[] = [];
  for (const request of asked) sent.push(await sendTo(connection, request));
  await connection.close();
  return sent;
}

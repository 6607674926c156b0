import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { agentOf, bridge, notesOf, type TestBridge } from './support.ts';

/** Numbers that a double does not hold, or that are printed in another way. */
const NUMBERS = '{"n":1.50,"big":12345678901234567890,"e":1E400,"z":-0}';

/** An agent of JSON-RPC whose tool `echo` answers with the numbers. */
function startAgent(): Promise<RawAgent> {
  return startRawAgent((socket, index) => {
    const body = agent.requests[index]?.split('\r\n\r\n')[1] ?? '';
    const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
    const result = body.includes('aip.tool.invoke')
      ? `{"content":[{"type":"text","text":"They are"},{"type":"data","data":${NUMBERS}}]}`
      : '{"tools":[{"name":"echo","description":"Echoes"}]}';
    socket.end(reply(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, '200 OK', 'application/json'));
  }).then(started => (agent = started));
}

let agent: RawAgent;

const TEXT = JSON.stringify(NUMBERS);
const CHOICE = '"tool_choice":{"type":"function","name":"echo"}';

/** A call of `echo` in each protocol whose messages are JSON. */
const CALLS: readonly (readonly [ProtocolName, body: string, isText?: true])[] = [
  ['mcp', rpc('tools/call', `{"name":"echo","arguments":${NUMBERS}}`)],
  ['json-rpc', rpc('aip.tool.invoke', `{"tool":"echo","arguments":${NUMBERS}}`)],
  ['aio', rpc('tools.call', `{"tool":"echo","args":${NUMBERS}}`), true],
  [
    'a2a',
    rpc(
      'message/send',
      `{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"data","data":{"tool":"echo","arguments":${NUMBERS}}}]}}`,
    ),
  ],
  ['responses', `{"model":"target","input":${TEXT},${CHOICE}}`, true],
  ['responses', `{"model":"target","input":${TEXT},${CHOICE},"stream":true}`, true],
  [
    'agent-api',
    `{"input":[{"role":"user","content":[{"type":"text","text":${TEXT}}]}],${CHOICE},"stream":false}`,
  ],
  ['agent-api', `{"input":[{"role":"user","content":[{"type":"text","text":${TEXT}}]}],${CHOICE}}`],
];

function rpc(method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
}

describe('numbers in a bridge', () => {
  const open: TestBridge[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
    await closeRawAgents();
  });

  const serve = async (as: ProtocolName): Promise<TestBridge> => {
    const { origin } = await startAgent();
    const url = `${origin}/aip/v1/rpc`;
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url }), as);
    open.push(bridged);
    return bridged;
  };

  const post = async ({ address }: TestBridge, body: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(address, { method: 'POST', headers, body })).text();
  };

  for (const [as, body, isText] of CALLS)
    it(`travel as they were written, in both directions (${as}, ${body.length})`, async () => {
      const text = await post(await serve(as), body);
      assert.ok(agent.requests.at(-1)?.includes(NUMBERS), agent.requests.at(-1));
      const expected = isText ? TEXT.slice(1, -1) : NUMBERS;
      assert.ok(text.includes(expected), text);
    });

  it('travel as they were written in a result of AICF', async () => {
    const bridged = await serve('aicf');
    const text = await post(bridged, `CALL|echo|${NUMBERS}`);
    assert.ok(agent.requests.at(-1)?.includes(NUMBERS), agent.requests.at(-1));
    assert.ok(text.startsWith('OK|') && text.includes(NUMBERS), text);
  });

  it('and arguments are not dropped unsaid where AIO has another name for them', async () => {
    const bridged = await serve('aio');
    await post(bridged, rpc('tools.call', '{"tool":"echo","arguments":{"a":1}}'));
    assert.deepEqual(notesOf(bridged).slice(0, 1), [
      "'tools.call' takes 'tool' and 'args'; the agent does not receive 'arguments'",
    ]);
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { PROTOCOLS, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, notesOf, type TestBridge } from './support.ts';
import { startTarget } from './targets.ts';

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

/** Numbers that LightAICL has, and values that it does not have. */
const FOREIGN = '{"n":[null,null],"i":12345678901234567890,"e":1E400,"d":1.50}';

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

  for (const { name: as, language } of PROTOCOLS)
    it(`are noted where the caller's language has no such value (${as})`, async () => {
      const value = '[d:[s:x]:[l:[f:nan],[f:nan]],[s:y]:[f:-inf],[s:t]:[t:uint8:2:0F8]]';
      const target = await startTarget('aicl', piece => piece.replace('[s:said it]', value));
      const bridged = await bridge(agentOf({ protocol: 'aicl', type: 'http', url: target.url }), as);
      open.push(bridged);
      const text = await post(bridged, CALLERS[as].call('say', { text: 'x' }).body ?? '');
      await target.close();
      const isJson = language !== 'aicl';
      assert.equal(/\$float[\s\S]*\$tensor/.test(text), isJson, text);
      assert.deepEqual(
        notesOf(bridged).filter(note => note.includes('the caller gets')),
        isJson
          ? [
              'data.x[0] and 1 other: JSON has no number for nan; the caller gets {"$float":"nan"}',
              'data.y: JSON has no number for -inf; the caller gets {"$float":"-inf"}',
              'data.t: JSON has no tensors; the caller gets {"$tensor":…}',
            ]
          : [],
      );
    });

  it('are noted for callers of AICL, whose numbers have 64 bits', async () => {
    const target = await startTarget('json-rpc', piece => piece.replace('"said it"', FOREIGN));
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url: target.url }), 'aicl');
    open.push(bridged);
    await post(bridged, CALLERS.aicl.call('say', { text: 'x' }).body ?? '');
    await target.close();
    assert.deepEqual(notesOf(bridged), [
      'data.data.n[0] and 1 other: AICL has no null; the caller gets [d:[s:$null]:[b:true]]',
      'data.data.i: AICL has no integers of more than 64 bits; the caller gets [d:[s:$int]:[s:…]]',
      'data.data.e: AICL has floats of 64 bits, and this number is none; the caller gets the nearest one',
    ]);
  });

  it('of Python, which writes NaN, are a reply and not one that broke off', async () => {
    const written = '{"x":NaN,"e":1E400}';
    const target = await startTarget('json-rpc', piece => piece.replace('"said it"', written));
    const bridged = await bridge(
      agentOf({ protocol: 'json-rpc', type: 'http', url: target.url }),
      'json-rpc',
    );
    open.push(bridged);
    const text = await post(bridged, CALLERS['json-rpc'].call('say', { text: 'x' }).body ?? '');
    await target.close();
    assert.ok(text.includes('{"x":{"$float":"nan"},"e":1E400}'), text);
    assert.deepEqual(notesOf(bridged), [
      'data.data.x: JSON has no number for nan; the caller gets {"$float":"nan"}',
    ]);
  });
});

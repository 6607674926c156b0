import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { agentOf, bridge, notesOf, type TestBridge } from './support.ts';

const VALUES = ['[s:one ]', '[s:two]', '[i:2]', '[s:three]', '[l:[i:4]]', '[s:four]'];

/** An agent of AICL whose reply is one chunk for each value, one after another. */
async function startAgent(): Promise<Server> {
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (piece: Buffer) => body.push(piece));
    request.on('end', () => {
      const session = /session_id\]:\[s:([^\]]*)/.exec(Buffer.concat(body).toString())?.[1] ?? '';
      const send = async (): Promise<void> => {
        for (const [index, value] of VALUES.entries()) {
          response.write(
            `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:result],[s:data]:${value},[s:stream_id]:[s:s_${index + 1}/${VALUES.length}],[s:is_final]:[b:${index + 1 === VALUES.length}]]\n`,
          );
          await sleep(5);
        }
        response.end();
      };
      void send();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const RPC = { jsonrpc: '2.0', id: 1 };

/** A request that is answered by a stream in each protocol, and what of the events is the answer. */
const CALLS: readonly (readonly [ProtocolName, body: object, answer: RegExp])[] = [
  [
    'agent-api',
    { input: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }] },
    /^data: \{"sequence_number":\d+,(?:"object":"content","status":"in_progress".*"text":"([^"]*)"|"type":"text","text":"([^"]*)")/gm,
  ],
  ['responses', { model: 'target', input: 'go', stream: true }, /"delta":"([^"]*)"/g],
  [
    'a2a',
    {
      ...RPC,
      method: 'message/stream',
      params: {
        message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] },
      },
    },
    /"kind":"text","text":"([^"]*)"|"data":(\[[^\]]*\])/g,
  ],
];

describe('chunks of several types in a bridge', () => {
  const open: { close: () => unknown }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
  });

  const ask = async (as: ProtocolName, body: object): Promise<readonly [string, TestBridge]> => {
    const server = await startAgent();
    open.push(server);
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const url = `http://127.0.0.1:${address.port}/`;
    const bridged = await bridge(agentOf({ protocol: 'aicl', type: 'http', url }), as);
    open.push(bridged);
    const response = await fetch(bridged.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
    });
    return [await response.text(), bridged];
  };

  for (const [as, body, answer] of CALLS)
    it(`stay in their order for callers of ${as}`, async () => {
      const [text] = await ask(as, body);
      const parts = [...text.matchAll(answer)].map(([, one, other]) => one ?? other ?? '');
      const own = parts.filter(part => !['go', ''].includes(part));
      assert.deepEqual(own, ['one ', 'two', '2', 'three', '[4]', 'four'], text);
    });

  it('reach a caller also where Node cannot print numbers as they were written', async () => {
    const rawJSON: unknown = Reflect.get(JSON, 'rawJSON');
    Object.defineProperty(JSON, 'rawJSON', { value: undefined, configurable: true, writable: true });
    try {
      const [text, bridged] = await ask('agent-api', CALLS[0]?.[1] ?? {});
      assert.match(text, /"object":"response","status":"completed"/);
      assert.deepEqual(
        notesOf(bridged).filter(note => note.includes('rounds')),
        [],
      );
    } finally {
      Object.defineProperty(JSON, 'rawJSON', { value: rawJSON, configurable: true, writable: true });
    }
  });
});

import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPasted } from '../../../../protocols/convert/paste/pasted.ts';

describe('the text of a clipboard', () => {
  it('is taken as it is where a protocol writes so', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      'CALL|math.add|1|2',
      '[d:[s:msg_type]:[s:result]]',
      'data: {"a":1}\n\n',
      '{"a": 1} trailing',
    ])
      assert.deepEqual(readPasted(text, ALL_PROTOCOLS), { kind: 'ok', text, from: undefined, remarks: [] });
  });

  it('may be a cURL command with a body of any kind', () => {
    const found = readPasted(
      `curl http://a.example/mcp -H 'Cookie: a=b' -d '{"method":"ping","x":[1]}'`,
      ALL_PROTOCOLS,
    );
    assert.deepEqual(found, {
      kind: 'ok',
      text: '{"method":"ping","x":[1]}',
      from: 'mcp',
      url: 'http://a.example/mcp',
      remarks: ['Cookie: not pasted, because credentials belong in the agents file'],
    });
  });

  it('may be the reply of a server with its head, or with several', () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const heads: readonly (readonly [head: string, status: string])[] = [
      ['HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', 'HTTP/1.1 200 OK'],
      ['HTTP/2 500 \nserver: x\n\n', 'HTTP/2 500'],
      ['\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n', 'HTTP/1.1 200 OK'],
    ];
    for (const [head, status] of heads)
      assert.deepEqual(readPasted(head + body, ALL_PROTOCOLS), {
        kind: 'ok',
        text: body,
        from: undefined,
        remarks: [`The head of the reply is left out: ${status}`],
      });
    const problem = 'The reply has no body: HTTP/1.1 202 Accepted';
    for (const end of ['\r\n\r\n', '\r\n', ''])
      assert.deepEqual(readPasted(`HTTP/1.1 202 Accepted${end}`, ALL_PROTOCOLS), { kind: 'fault', problem });
  });

  it('says why it is nothing', () => {
    assert.deepEqual(readPasted(' \n', ALL_PROTOCOLS), {
      kind: 'fault',
      problem: 'There is no text on the clipboard',
    });
  });
});

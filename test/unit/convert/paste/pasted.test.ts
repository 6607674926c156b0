import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPasted } from '../../../../protocol/src/convert/paste/pasted.ts';

describe('what stands on a clipboard', () => {
  it('is taken as it is where a protocol writes so', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      'CALL|math.add|1|2',
      '[d:[s:msg_type]:[s:result]]',
      'data: {"a":1}\n\n',
      '{"a": 1} trailing',
    ])
      assert.deepEqual(readPasted(text), { kind: 'ok', text, from: undefined, remarks: [] });
  });

  it("is Python's where it is no JSON", () => {
    const found = readPasted(`{"method": 'ping', "id": None}`);
    assert.deepEqual(found, {
      kind: 'ok',
      text: '{"method":"ping","id":null}',
      from: undefined,
      remarks: [],
    });
  });

  it('may be a cURL command with a body of any kind', () => {
    const found = readPasted(`curl http://a.example/mcp -H 'Cookie: a=b' -d "{'method': 'ping', 'x': (1,)}"`);
    assert.deepEqual(found, {
      kind: 'ok',
      text: '{"method":"ping","x":[1]}',
      from: 'mcp',
      remarks: ['Cookie: not pasted, because credentials belong in the agents file', 'Tuples became lists'],
    });
  });

  it('may be texts that Python printed, in any language, in bytes as well', () => {
    const json = '{"jsonrpc":"2.0","method":"ping","params":{"a":"it\\u0027s é\\n"}}';
    const texts: readonly (readonly [pasted: string, text: string])[] = [
      [`'${json.replaceAll('\\', '\\\\')}'`, json],
      [`b'${json.replaceAll('\\', '\\\\').replace('é', '\\xc3\\xa9')}'\n`, json],
      [`body = 'CALL|echo|it\\'s\\nEND\\n'`, `CALL|echo|it's\nEND\n`],
      [`b"[d:[s:text]:[s:it's]]"`, `[d:[s:text]:[s:it's]]`],
      [`'{"a":1}'\nb'{"b":2}'\n`, '{"a":1}\n{"b":2}'],
      [`rb'{"a":"\\n"}'`, '{"a":"\\n"}'],
      [`b'{"a":"\\303\\251\\\\u00e9"}'`, '{"a":"é\\u00e9"}'],
      [`"{'a': None}"`, `"{'a': None}"`],
      [`'{\\'a\\': None}'`, '{"a":null}'],
    ];
    for (const [pasted, text] of texts)
      assert.deepEqual(readPasted(pasted), { kind: 'ok', text, from: undefined, remarks: [] });
  });

  it('is no text of Python where more stands beside it', () => {
    for (const text of [`'a' is missing`, `'{"a":1}' {"b":2}`])
      assert.deepEqual(readPasted(text), { kind: 'ok', text, from: undefined, remarks: [] });
  });

  it('may be the reply of a server with its head, or with several', () => {
    const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const heads: readonly (readonly [head: string, status: string])[] = [
      ['HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', 'HTTP/1.1 200 OK'],
      ['HTTP/2 500 \nserver: x\n\n', 'HTTP/2 500'],
      ['\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n', 'HTTP/1.1 200 OK'],
    ];
    for (const [head, status] of heads)
      assert.deepEqual(readPasted(head + body), {
        kind: 'ok',
        text: body,
        from: undefined,
        remarks: [`The head of the reply is left out: ${status}`],
      });
    const problem = 'The reply has no body: HTTP/1.1 202 Accepted';
    for (const end of ['\r\n\r\n', '\r\n', ''])
      assert.deepEqual(readPasted(`HTTP/1.1 202 Accepted${end}`), { kind: 'fault', problem });
  });

  it('says why it is nothing', () => {
    assert.deepEqual(readPasted(`b'\\xff'`), {
      kind: 'fault',
      problem: 'This Python text cannot be pasted: these bytes are no text in UTF-8',
    });
    assert.deepEqual(readPasted(' \n'), { kind: 'fault', problem: 'There is no text on the clipboard' });
    assert.deepEqual(readPasted(`{'a': b'x'}`), {
      kind: 'fault',
      problem:
        'This Python text cannot be pasted: line 1: bytes have no place in a message; decode them first',
    });
  });
});

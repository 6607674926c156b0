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

  it('says why it is nothing', () => {
    assert.deepEqual(readPasted(' \n'), { kind: 'fault', problem: 'There is no text on the clipboard' });
    assert.deepEqual(readPasted(`{'a': b'x'}`), {
      kind: 'fault',
      problem:
        'This Python text cannot be pasted: line 1: bytes have no place in a message; decode them first',
    });
  });
});

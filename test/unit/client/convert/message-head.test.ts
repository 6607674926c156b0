import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findHead } from '../../../../client/src/features/convert/message-head.ts';

const ODD = '{"a\\"method":1,"jsonrpc":"2.0","id":1,"result":{"status":"fine"}}';

const HEADS: readonly (readonly [text: string, head: string | undefined])[] = [
  ['CALL|math.add|1|2', undefined],
  ['CALL|docs.search|quarterly revenue by region|5', '0:CALL|docs.search'],
  ['LIST and what nobody expects behind it in a line', '0:LIST'],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}', '0:"method":"tools/call"'],
  ['{"object":"response","output":[{"type":"message","content":[]}]}', '0:"object":"response"'],
  ['[d:[s:protocol]:[s:LightAICL],[s:msg_type]:[s:tool_call]]', '0:[s:msg_type]:[s:tool_call]'],
  [ODD, `0:${ODD.slice(0, 40)}`],
  [`data: {"delta":"${'x'.repeat(90)}"}`, `0:data: {"delta":"${'x'.repeat(24)}`],
  [' '.repeat(50), undefined],
  [`${' '.repeat(50)}x`, undefined],
  ['{\n  "id": 1,\n  "method": "tools/list"\n}', '2:"method": "tools/list"'],
  ['[d:\r\n  [s:msg_type]:[s:result],\r\n  [s:data]:[i:1]\r\n]', '1:[s:msg_type]:[s:result]'],
  ['{\n  "id": 1\n}\n{"method":"x"}', undefined],
  ['{', undefined],
];

describe('what names a message in its lines', () => {
  it('is its method, its tool or its first words, and of a short line all of it', () => {
    const found = HEADS.map(([text]) => {
      const lines = text.split('\n');
      const head = findHead(lines, 0);
      const line = head?.start.line ?? 0;
      return [text, head && `${line}:${lines[line]?.slice(head.start.character, head.end.character)}`];
    });
    assert.deepEqual(found, HEADS);
  });
});

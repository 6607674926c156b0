import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AiclFramer } from '../../../language/aicl/replies/frames.ts';
import { readAiclDelivery } from '../../../language/aicl/replies/reply.ts';

describe('readAiclDelivery', () => {
  const deliveries: readonly (readonly [
    fields: string,
    session: string,
    messageType: string,
    isLast: boolean,
  ])[] = [
    ['[s:session_id]:[s:a],[s:msg_type]:[s:result],[s:data]:[i:1]', 'a', 'result', true],
    ['[s:session_id]:[s:a\\u005Db],[s:msg_type]:[s:error]', 'a]b', 'error', true],
    ['[s:msg_type]:[s:error],[s:is_final]:[b:false]', '', 'error', true],
    ['[s:msg_type]:[s:result],[s:is_final]:[b:false]', '', 'result', false],
    ['[s:msg_type]:[s:result],[s:stream_id]:[s:x_1/2]', '', 'result', false],
    ['[s:msg_type]:[s:result],[s:stream_id]:[s:x_2/2]', '', 'result', true],
    ['[s:msg_type]:[s:result],[s:stream_id]:[s:x_2/2],[s:is_final]:[b:false]', '', 'result', false],
    ['[s:msg_type]:[s:result],[s:stream_id]:[s:x_1/2],[s:is_final]:[b:true]', '', 'result', true],
    ['[s:msg_type]:[s:result],[s:stream_id]:[s:x]', '', 'result', false],
    ['[s:msg_type]:[s:protocol_negotiate]', '', 'protocol_negotiate', true],
    ['[s:msg_type]:[s:tool_call],[s:is_final]:[b:true]', '', 'tool_call', true],
    ['[s:msg_type]:[s:tool_call]', '', 'tool_call', true],
    ['[s:msg_type]:[s:data_query],[s:is_final]:[b:false]', '', 'data_query', false],
    ['[s:msg_type]:[s:progress]', '', 'progress', false],
    ['[s:answer]:[s:yes]', '', '', true],
    ['', '', '', true],
    // Not valid: a comma is missing, and what recovery finds counts.
    ['[s:session_id]:[s:a] [s:msg_type]:[s:result]', 'a', 'result', true],
  ];
  for (const [fields, session, messageType, isLast] of deliveries) {
    it(`reads ${fields || 'an empty message'}`, () =>
      assert.deepEqual(readAiclDelivery(`[d:${fields}]`), { session, messageType, isLast }));
  }

  it('takes any text', () => {
    for (const text of ['', 'x', '[i:1]', '[d:', '[d:]]', '\u{d800}', '[l:[s:a]]'])
      assert.equal(readAiclDelivery(text).messageType, '');
  });
});

describe('AiclFramer', () => {
  /** The frames of a text that comes in pieces of a length, and where an open one starts at last. */
  function frame(text: string, length: number): readonly [readonly string[], number | undefined] {
    const framer = new AiclFramer();
    const frames: string[] = [];
    for (let at = 0; at < text.length; at += length)
      for (const { start, end, text: framed } of framer.push(text.slice(at, at + length))) {
        assert.equal(text.slice(start, end), framed);
        frames.push(framed);
      }
    return [frames, framer.openStart];
  }

  for (const [text, frames, openStart] of [
    ['[===>  \n[d:]', ['[===>  \n', '[d:]'], undefined],
    ['[INFO] a\n[d:]', ['[INFO]', '[d:]'], undefined],
    ['[s\n[s:\n]', ['[s\n', '[s:\n]'], undefined],
    ['[[d:\n[d:]', ['[[d:\n', '[d:]'], undefined],
    ['[\n[l:\n[i:1]', ['[\n'], 2],
    ['[d:\n\n[s:[===>\n', [], 0],
    ['[x', [], 0],
  ] as const) {
    it(`ends with its line a bracket that begins no value: ${JSON.stringify(text)}`, () => {
      for (let length = 1; length <= text.length; length++)
        assert.deepEqual(frame(text, length), [frames, openStart], `pieces of ${length}`);
    });
  }
});

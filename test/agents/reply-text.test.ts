import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReplyText } from '../../agents/http/reply-text.ts';

describe('the text of a reply', () => {
  const bodies: readonly (readonly [bytes: Uint8Array, isUtf8: boolean])[] = [
    [Buffer.from('plain'), true],
    [Buffer.from('a é 中 🙂 b'), true],
    [Buffer.from('🙂'), true],
    [Buffer.from('\ufeffa'), true],
    [Buffer.from([0x61, 0xe4, 0xb8, 0x61, 0x62]), false],
    [Buffer.from([0x61, 0xff, 0x62, 0xc3]), false],
    [Buffer.from([0x61, 0xf0, 0x9f]), false],
    [Buffer.from([]), true],
  ];
  for (const [bytes, isUtf8] of bodies)
    it(`is the same however ${JSON.stringify(bytes.toString())} is cut`, () => {
      // What Fetch makes of it, but for the mark of its order.
      const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      for (let one = 0; one <= bytes.length; one++)
        for (let two = one; two <= bytes.length; two++) {
          const text = new ReplyText();
          const pieces = [bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)];
          const added = [...pieces.map(piece => text.push(piece)), text.end()];
          assert.deepEqual([added.join(''), text.text, text.isUtf8], [expected, expected, isUtf8]);
        }
    });

  it('is its beginning, once no more of it is retained', () => {
    const text = new ReplyText();
    const added = [text.push(Buffer.from('one ')), text.push(Buffer.from('é '))];
    text.retainNoMore();
    added.push(text.push(Buffer.from('two ')), text.push(Buffer.from('🙂')), text.end());
    assert.deepEqual([added.join(''), text.text, text.isUtf8], ['one é two 🙂', 'one é ', true]);
  });
});

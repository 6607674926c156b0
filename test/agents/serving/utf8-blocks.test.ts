import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Utf8Blocks } from '../../../agents/serving/utf8-blocks.ts';

/** More than one block of 64 KiB. */
const LONG = 70_000;

describe('blocks of encoded text', () => {
  for (const [name, texts] of [
    ['short texts', ['data: ', '{"a":1}', '\n\n']],
    ['no texts', []],
    ['empty texts', ['', 'a', '']],
    ['a text of more than a block', ['x'.repeat(LONG)]],
    ['characters of two bytes across the end of a block', ['x', 'é'.repeat(LONG)]],
    ['characters of three bytes across the end of a block', ['中'.repeat(LONG)]],
    ['characters of four bytes across the end of a block', ['xyz', '🙂'.repeat(LONG)]],
    ['a character that is split over texts', ['a\ud83d', '', '\ude42', 'b\ud83d', '\ude42']],
    ['lone surrogates', ['\ude42a\ud83d', 'x'.repeat(LONG), '\ud83d\ud83d', '\ud83d']],
  ] as const)
    it(`have the bytes of ${name}`, () => {
      const expected = Buffer.from(texts.join(''));
      assert.ok(Buffer.concat([...new Utf8Blocks().encode(texts)]).equals(expected));
    });

  it('do not change when later texts are encoded', () => {
    const blocks = new Utf8Blocks();
    const numbers = Array.from({ length: 20_000 }, (_, number) => `${number} é\n`);
    const encoded = numbers.flatMap(text => [...blocks.encode([text])]);
    assert.equal(Buffer.concat(encoded).toString(), numbers.join(''));
    // Each of them in one piece, although a block has no place for all.
    assert.equal(encoded.length, numbers.length);
  });

  it('are few for texts that are written together', () => {
    const parts = new Utf8Blocks().encode(Array.from({ length: 1000 }, () => 'data: {}\n\n'));
    assert.equal(parts.length, 1);
  });
});

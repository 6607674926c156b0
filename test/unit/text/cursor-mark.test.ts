import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readOffset } from '../../support/cursor.ts';

describe('a text with a cursor', () => {
  it('is the text without the mark, and its place', () => {
    assert.deepEqual(readOffset('a$0b'), { text: 'ab', offset: 1 });
  });

  it('must have one mark', () => {
    for (const marked of ['ab', '$0a$0']) assert.throws(() => readOffset(marked), /one '\$0'/, marked);
  });
});

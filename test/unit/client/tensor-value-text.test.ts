import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findReplacement, rewriteValue, writeValue } from '../../../client/src/tensor/value-text.ts';
import { printTensor, readTensor } from '../../../tensor/read-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';

function bytesTensor(...values: readonly number[]): Tensor {
  return { dtype: 'uint8', shape: [values.length], bytes: Uint8Array.from(values) };
}

const EIGHT = bytesTensor(1, 2, 3, 4, 5, 6, 7, 8);
const TWELVE = bytesTensor(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

describe('the text of a tensor', () => {
  it('keeps type, shape and wrapping as they were written', () => {
    const before = '[t:uint8:"08":\n    0RjUA\n    1qKHQ\n  ]';
    const after = { ...EIGHT, bytes: Uint8Array.from([1, 2, 3, 5, 5, 6, 7, 8]) };
    assert.deepEqual(readTensor(before.slice(3, -1)), EIGHT);
    assert.equal(rewriteValue(before, EIGHT, after), '[t:uint8:"08":\n    0RjUB\n    1qKHQ\n  ]');
  });

  it('goes on in steps as long as the longest line where it grew, and ends sooner where it shrank', () => {
    const before = '[t:uint8:8:\n 0RjUA\n 1qKHQ\n]';
    assert.deepEqual(
      [rewriteValue(before, EIGHT, TWELVE), rewriteValue(before, EIGHT, bytesTensor(1, 2, 3, 4))],
      ['[t:uint8:12:\n 0RjUA\n 1qKHQ\n 2?`4g\n]', '[t:uint8:4:\n 0RjUA\n]'],
    );
  });

  it('stays on one line where it stood on one', () => {
    assert.equal(rewriteValue('[t:uint8:8:0RjUA1qKHQ]', EIGHT, TWELVE), '[t:uint8:12:0RjUA1qKHQ2?`4g]');
  });

  it('is wrapped as the formatter does where it is new and longer than a line', () => {
    const wrapping = { width: 6, before: '\n    ', after: '\n  ' };
    assert.deepEqual(
      [
        writeValue(EIGHT, wrapping),
        writeValue(EIGHT, { ...wrapping, width: 10 }),
        writeValue(EIGHT, undefined),
      ],
      ['[t:uint8:8:\n    0RjUA1\n    qKHQ\n  ]', '[t:uint8:8:0RjUA1qKHQ]', '[t:uint8:8:0RjUA1qKHQ]'],
    );
  });

  it('reads back as the tensor, however the text before was wrapped', () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    const cuts = fc.array(fc.nat(60), { maxLength: 6 });
    fc.assert(
      fc.property(bytes, bytes, cuts, fc.constantFrom('\n', '\r\n  ', ' '), (old, made, at, blank) => {
        const [was, is] = [bytesTensor(...old), bytesTensor(...made)];
        const plain = printTensor(was).slice(0, -1);
        const head = plain.lastIndexOf(':') + 1;
        const places = [...new Set(at.map(place => Math.min(plain.length, head + place)))].sort(
          (a, b) => b - a,
        );
        const before = `${places.reduce((text, place) => text.slice(0, place) + blank + text.slice(place), plain)}]`;
        const after = rewriteValue(before, was, is);
        assert.deepEqual(readTensor(after.slice(3, -1)), is);
        assert.equal(rewriteValue(before, was, was), before);
      }),
    );
  });
});

describe('the replacement of a text', () => {
  it('is the smallest part that makes one of the other', () => {
    const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { start, end, text: newText } = findReplacement(before, after);
        assert.equal(before.slice(0, start) + newText + before.slice(end), after);
        const old = before.slice(start, end);
        if (old !== '' && newText !== '')
          assert.deepEqual([old[0] === newText[0], old.at(-1) === newText.at(-1)], [false, false]);
      }),
    );
  });

  it('is empty for equal texts, and an insertion for a longer one', () => {
    assert.deepEqual(
      [findReplacement('abc', 'abc'), findReplacement('aa', 'aaa')],
      [
        { start: 3, end: 3, text: '' },
        { start: 2, end: 2, text: 'a' },
      ],
    );
  });
});

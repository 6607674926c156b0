import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeBase85, encodeBase85 } from '../../../tensor/base85.ts';
import { findUnexpectedBools } from '../../../tensor/bool-bytes.ts';
import { applyEdits } from '../../../core/text/edit.ts';

describe('bytes of bool tensors', () => {
  it('are 0 or 1, or are counted, found and mended, wrapped or not', () => {
    const bytes = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(0, 1) }, fc.nat(255)));
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 40 }), (values, width) => {
        const text = encodeBase85(Uint8Array.from(values)).replace(
          new RegExp(`(.{${width}})`, 'g'),
          '$1\r\n  ',
        );
        const found = findUnexpectedBools(text, 0, text.length);
        assert.equal(found?.count ?? 0, values.filter(value => value > 1).length);
        const mended = applyEdits(text, found?.edits ?? []);
        assert.deepEqual(
          decodeBase85(mended),
          Uint8Array.from(values, value => Math.min(value, 1)),
        );
      }),
    );
  });

  it('are mended by no fix where they are many', () => {
    const text = encodeBase85(new Uint8Array(8_000).fill(2));
    assert.deepEqual(findUnexpectedBools(text, 0, text.length), {
      count: 8_000,
      first: { start: 0, end: 5 },
      edits: undefined,
    });
  });
});

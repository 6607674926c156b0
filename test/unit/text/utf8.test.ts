import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findBadByte, utf8Length } from '../../../core/text/utf8.ts';
import { runs } from '../../support/size.ts';

const BAD: readonly (readonly [string, readonly number[], number])[] = [
  ['a byte that never occurs', [0x61, 0xff], 1],
  ['a continuation without a start', [0x61, 0x62, 0x80], 2],
  ['a sequence cut at the end', [0x61, 0xe2, 0x82], 1],
  ['an overlong form', [0xc0, 0xaf], 0],
  ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf], 0],
  ['a surrogate', [0xed, 0xa0, 0x80], 0],
  ['a code point past U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0],
];

describe('UTF-8', () => {
  for (const [name, bytes, at] of BAD) {
    it(`finds ${name}`, () => assert.equal(findBadByte(Uint8Array.from(bytes)), at));
  }

  it('agrees with Node about all bytes', () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0x80, 0xa0, 0xbf));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), values => {
        const bytes = Uint8Array.from(values);
        const bad = findBadByte(bytes);
        assert.equal(bad === undefined, isUtf8(bytes));
        if (bad !== undefined) assert.equal(isUtf8(bytes.subarray(0, bad)), true);
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('counts the bytes of any part of any text as Node does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '界', '🏔', '\ud83c', '\udfd4') });
    fc.assert(
      fc.property(text, fc.nat(20), fc.nat(20), (value, from, length) => {
        const end = Math.min(value.length, from + length);
        const start = Math.min(from, end);
        assert.equal(utf8Length(value.slice(start, end)), Buffer.byteLength(value.slice(start, end)));
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  base85ByteLength,
  base85TextLength,
  checkBase85,
  decodeBase85,
  encodeBase85,
} from '../../../protocol/src/tensor/base85.ts';

/** Written down from Python: base64.b85encode(bytes.fromhex(…)). */
const PYTHON: readonly (readonly [string, string])[] = [
  ['', ''],
  ['00', '00'],
  ['ff', '{{'],
  ['0001', '009'],
  ['ffff', '|Nj'],
  ['010203', '0RjU'],
  ['ffffff', '|Ns9'],
  ['00010203', '009C6'],
  ['ffffffff', '|NsC0'],
  ['deadbeef01', '-mSjx0R'],
  ['000102030405060708090a0b0c0d0e0f', '009C61O)~M2nh-c3=Iws'],
];

describe('Base85 (RFC 1924)', () => {
  for (const [hex, text] of PYTHON) {
    it(`agrees with Python on '${hex}'`, () => {
      const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
      assert.equal(encodeBase85(bytes), text);
      assert.deepEqual(decodeBase85(text), bytes);
    });
  }

  it('decodes what it encoded, wrapped or not, and knows the lengths before', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (bytes, width) => {
        const text = encodeBase85(bytes);
        assert.equal(text.length, base85TextLength(bytes.length));
        assert.equal(base85ByteLength(text.length), bytes.length);
        assert.deepEqual(decodeBase85(text.replace(new RegExp(`(.{${width}})`, 'g'), '$1\r\n  ')), bytes);
        assert.deepEqual(checkBase85(text, 0, text.length), {
          characters: text.length,
          fault: undefined,
          strayBlank: undefined,
          oddTail: undefined,
        });
      }),
    );
  });

  const faults: readonly (readonly [string, object])[] = [
    ['00"00', { kind: 'character', at: 2 }],
    ['00000é', { kind: 'character', at: 5 }],
    ['000000', { kind: 'short-tail', at: 5 }],
    ['00000\n|NsC1', { kind: 'overflow', at: 6 }],
    ['~~', { kind: 'overflow', at: 0 }],
  ];
  for (const [text, fault] of faults) {
    it(`finds the fault of ${JSON.stringify(text)} at its place`, () => {
      assert.deepEqual(checkBase85(text, 0, text.length).fault, fault);
      assert.equal(decodeBase85(text), undefined);
    });
  }

  it('tells wrapping from other blanks', () => {
    assert.equal(checkBase85('00\n  0\r\n\t00', 0, 10).strayBlank, undefined);
    assert.equal(checkBase85('00 000', 0, 6).strayBlank, 2);
  });
});

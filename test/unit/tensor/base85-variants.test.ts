import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findVariant } from '../../../tensor/base85-variants.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Written down from Python's base64 and from ZeroMQ's RFC 32: bytes, text, variant. */
const KNOWN: readonly (readonly [string, string, string | undefined])[] = [
  ['c7072051159a0f89', '-%i.:6}bU&', 'Z85'],
  ['010203ff0000000009', "!<NB'z#l", 'Ascii85'],
  ['010203ff0000000009', "<~!<NB'z#l~>", 'Ascii85'],
  ['000102ff0001', 'AAEC/wAB', 'base64'],
  ['000102ff', 'AAEC/w==', 'base64'],
  // As many bytes, but not of this length, not whole, or in two variants.
  ['000102ff00', 'AAEC/wAB', undefined],
  ['000102ff', 'AAEC/w', undefined],
  ['00000000', '009"z', undefined],
  ['ffffffff', 's8W-"', undefined],
  ['010203', 'AAA/', undefined],
];

describe('other variants of Base85', () => {
  for (const [hex, text, name] of KNOWN) {
    it(`${text} for ${hex.length / 2} bytes is ${name ?? 'none'}`, () => {
      const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
      const found = findVariant(text, bytes.length);
      assert.deepEqual(found, name === undefined ? undefined : { name, bytes });
      assert.deepEqual(findVariant(text.replace(/(.{4})/g, '$1\r\n  '), bytes.length), found);
    });
  }

  it('reads base64 as Node writes it, or says nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 40, maxLength: 300 }), bytes => {
        const found = findVariant(Buffer.from(bytes).toString('base64'), bytes.length);
        if (found) assert.deepEqual(found, { name: 'base64', bytes });
      }),
    );
  });

  it('is total, and allocates nothing on trust', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(), (text, length) => {
        const found = findVariant(text, length);
        assert.equal(found?.bytes.length ?? length, length);
      }),
    );
    assert.equal(findVariant('zzzz', 2 ** 52), undefined);
  });
});

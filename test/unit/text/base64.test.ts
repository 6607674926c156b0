import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeBase64, encodeBase64 } from '../../../core/text/base64.ts';
import { runs } from '../../support/size.ts';

const hex = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('hex');

describe('Base64', () => {
  it('writes the examples of RFC 4648, and reads them', () => {
    const examples = [
      ['', ''],
      ['f', 'Zg=='],
      ['fo', 'Zm8='],
      ['foo', 'Zm9v'],
      ['foob', 'Zm9vYg=='],
      ['fooba', 'Zm9vYmE='],
      ['foobar', 'Zm9vYmFy'],
    ] as const;
    for (const [text, base64] of examples) {
      assert.equal(encodeBase64(Buffer.from(text)), base64);
      assert.equal(hex(decodeBase64(base64)), Buffer.from(text).toString('hex'));
    }
  });

  it('is what Node writes, for lengths around a block as well', () => {
    const check = (bytes: Uint8Array): void => {
      const text = Buffer.from(bytes).toString('base64');
      assert.equal(encodeBase64(bytes), text);
      assert.equal(hex(decodeBase64(text)), hex(bytes));
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), check));
    for (const length of [6_143, 6_144, 6_145, 12_288, 20_001])
      check(Uint8Array.from({ length }, (_, at) => (at * 2_654_435_761) >>> 11));
  });

  it('encodes a part of a larger array', () => {
    assert.equal(encodeBase64(Uint8Array.from([9, 1, 2, 3, 9]).subarray(1, 4)), 'AQID');
  });

  it('reads no text that it would write otherwise', () => {
    const strange = [
      'Zg',
      'Zg=',
      'Z',
      'Zh==',
      'Zm9=',
      'Zg==Zg==',
      '=',
      '====',
      'A===',
      'Zm9v ',
      ' Zm9v',
      'Zm\n9',
    ];
    const alphabets = ['Zm-v', 'Zm_v', 'Zm9é', 'Zmé=', 'é===', '界界界界', '\ud800AAA', 'AAA\ud800'];
    for (const text of [...strange, ...alphabets]) assert.equal(decodeBase64(text), undefined, text);
    assert.equal(decodeBase64('A'.repeat(8_190) + 'é' + 'A'.repeat(9)), undefined);
    const characters = fc.constantFrom(
      'A',
      'Z',
      'a',
      'g',
      'h',
      '0',
      '9',
      '+',
      '/',
      '=',
      '-',
      ' ',
      'é',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), text => {
        const bytes = decodeBase64(text);
        if (bytes) assert.equal(encodeBase64(bytes), text);
        else assert.notEqual(Buffer.from(text, 'base64').toString('base64'), text);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  base85ByteLength,
  base85TextLength,
  checkBase85,
  decodeBase85,
  encodeBase85,
} from '../../../tensor/base85.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { runs, sized } from '../../support/size.ts';

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
  ['fafbfcfdfeff00', '`uqI-{{H{'],
  ['ffffffffffffff', '|NsC0|Ns9'],
  ['000000000000000000', '000000000000'],
  ['000102030405060708090a0b0c0d0e0f', '009C61O)~M2nh-c3=Iws'],
  ['0000803f0000004000004040000080400000a0400000c040', '004kL0000$002Nh004kM005vs006*1'],
  ['0000000000000080000000000000f07f0100000000000000', '000000001h00000008iR0RR9100000'],
  [
    'd689dfcda24e5991148d167ed34cacf0d83e2c04800668bd7f0f7af5fe58e4b4',
    ')`{QEqE1<n6pa>s(@d=J*gh--fCgy2e-C=~{#fL+',
  ],
];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** What the definition says, a character at a time and with numbers of any size. */
function readNaively(text: string): { readonly check: object; readonly bytes: Uint8Array | undefined } {
  let characters = 0;
  let group: number[] = [];
  let groupAt = 0;
  const bytes: number[] = [];
  const stop = (kind: string, at: number): ReturnType<typeof readNaively> => ({
    check: { kind, at },
    bytes: undefined,
  });
  for (const [at, character] of text.split('').entries()) {
    if (' \t\r\n'.includes(character)) continue;
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return stop('character', at);
    characters++;
    if (group.length === 0) groupAt = at;
    group.push(digit);
    if (group.length < 5) continue;
    const value = toNumber(group);
    if (value >= 2n ** 32n) return stop('overflow', groupAt);
    bytes.push(...toBytes(value));
    group = [];
  }
  const tail = group.length;
  if (tail === 1) return stop('short-tail', groupAt);
  let unexpectedTail: number | undefined;
  if (tail > 1) {
    const value = toNumber([...group, 84, 84, 84].slice(0, 5));
    if (value >= 2n ** 32n) return stop('overflow', groupAt);
    bytes.push(...toBytes(value).slice(0, tail - 1));
    const unused = 2n ** BigInt(8 * (5 - tail));
    if (toNumber(group) !== (value - (value % unused)) / 85n ** BigInt(5 - tail)) unexpectedTail = groupAt;
  }
  const strayBlank = /(?<![\r\n][ \t\r\n]*)[ \t]/.exec(text)?.index;
  return {
    check: { characters, fault: undefined, strayBlank, unexpectedTail },
    bytes: Uint8Array.from(bytes),
  };
}

function toNumber(digits: readonly number[]): bigint {
  return digits.reduce((value, digit) => value * 85n + BigInt(digit), 0n);
}

function toBytes(value: bigint): readonly number[] {
  return [24n, 16n, 8n, 0n].map(shift => Number((value >> shift) & 255n));
}

/** Payloads, sound or not, that end around the borders of what is read in one piece. */
const PAYLOAD = fc
  .tuple(
    fc.constantFrom(0, 5_110, 5_115, 10_235),
    fc.nat(9),
    fc.array(
      fc.oneof(
        { weight: 40, arbitrary: fc.constantFrom(...ALPHABET.slice(0, 80)) },
        { weight: 4, arbitrary: fc.constantFrom(' ', '\t', '\r', '\n', '\r\n  ') },
        { weight: 3, arbitrary: fc.constantFrom('|Ns', '|NsC0', '~') },
        { weight: 1, arbitrary: fc.constantFrom('"', '\0', '\x0b', '\xa0', 'é', '…', '漢', '😀', '\ud800') },
      ),
      { maxLength: 60 },
    ),
  )
  .map(([filled, unexpected, parts]) => '0'.repeat(filled) + '1'.repeat(unexpected) + parts.join(''));

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
          unexpectedTail: undefined,
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

  it('reads any text as the definition says, in one piece or many', () => {
    let sound = 0;
    fc.assert(
      fc.property(PAYLOAD, fc.nat(7), (payload, before) => {
        const { check, bytes } = readNaively(payload);
        if (bytes) sound++;
        const text = `${'"'.repeat(before)}${payload}]`;
        const end = before + payload.length;
        for (const characters of [text, SourceText.of(text, 7)]) {
          const found = checkBase85(characters, before, end);
          assert.deepEqual(found.fault ?? found, check);
          assert.deepEqual(decodeBase85(characters, before, end), bytes);
        }
      }),
      { numRuns: runs(300) },
    );
    assert.ok(sound > sized(30, 0), `${sound} sound payloads are too few`);
  });

  it('finds a fault of a wrapped payload at its place, wherever it is', () => {
    const plain = encodeBase85(Uint8Array.from({ length: 9_000 }, (_, index) => (index * 89) % 251));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.nat(plain.length - 1),
        fc.constantFrom('"', 'é', '漢'),
        (width, place, wrong) => {
          const wrapped = plain.replace(new RegExp(`(.{${width}})`, 'g'), '$1\r\n  ');
          const at = place + Math.floor(place / width) * 4;
          const text = wrapped.slice(0, at) + wrong + wrapped.slice(at + 1);
          assert.deepEqual(checkBase85(text, 0, text.length).fault, { kind: 'character', at });
          assert.equal(decodeBase85(text), undefined);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('finds a character outside ASCII at the end of every piece that is read at once', () => {
    for (const place of [5_118, 5_119, 5_120, 10_238, 10_239, 10_240]) {
      for (const wrong of ['é', '漢', '😀', '\ud800']) {
        const text = `${'0'.repeat(place)}${wrong}${'0'.repeat(6_000)}`;
        assert.deepEqual(checkBase85(text, 0, text.length).fault, { kind: 'character', at: place });
        assert.equal(decodeBase85(text), undefined);
      }
    }
  });

  it('encodes and decodes the part of a buffer that it was given', () => {
    const part = Uint8Array.from({ length: 64 }, (_, index) => index).subarray(3, 20);
    assert.deepEqual(decodeBase85(encodeBase85(part)), part.slice());
  });
});

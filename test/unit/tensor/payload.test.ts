import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import { encodeBase85 } from '../../../tensor/base85.ts';
import { numbersIn, numbersOf } from '../../../tensor/numbers.ts';
import { Payload } from '../../../tensor/payload.ts';
import { SourceText, type Characters } from '../../../core/text/source-text.ts';
import { runs, sized } from '../../support/size.ts';

/** A text that counts the characters that were looked at. */
class CountedText implements Characters {
  readonly #text: string;
  visited = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get length(): number {
    return this.#text.length;
  }

  charCodeAt(offset: number): number {
    this.visited++;
    return this.#text.charCodeAt(offset);
  }

  slice(start?: number, end?: number): string {
    const slice = this.#text.slice(start, end);
    this.visited += slice.length;
    return slice;
  }
}

function makeBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 89 + (index >> 7)) % 256);
}

function wrap(text: string, width: number, lineEnd: string): string {
  return text.replace(new RegExp(`(.{${width}})`, 'g'), `$1${lineEnd}`);
}

function payloadOf(text: Characters, start = 0, end = text.length): Payload {
  const payload = Payload.of(text, { start, end });
  assert.ok(payload, 'the payload is sound');
  return payload;
}

const LENGTH = fc.oneof(fc.nat(60), fc.nat(12_000));

describe('payloads read by pieces', () => {
  it('give any slice as the whole has it, wrapped or not, in one chunk or many', () => {
    fc.assert(
      fc.property(
        LENGTH,
        fc.option(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.constantFrom('\n', '\r\n    ', '\r', ' '))),
        fc.constantFrom(undefined, 3, 64),
        fc.nat(9),
        fc.array(fc.tuple(fc.integer({ min: -3, max: 12_010 }), fc.integer({ min: -3, max: 12_010 })), {
          minLength: 1,
          maxLength: 6,
        }),
        (length, wrapping, chunk, before, cuts) => {
          const bytes = makeBytes(length);
          const plain = encodeBase85(bytes);
          const payload = wrapping ? wrap(plain, ...wrapping) : plain;
          const text = `${'[t:'.repeat(before)}${payload}],"`;
          const start = before * 3;
          const found = payloadOf(
            chunk === undefined ? text : SourceText.of(text, chunk),
            start,
            start + payload.length,
          );
          assert.equal(found.byteLength, length);
          assert.deepEqual(found.read(0, length), bytes);
          for (const [from, to] of cuts)
            assert.deepEqual(found.read(from, to), bytes.slice(Math.max(0, from), Math.max(0, to)));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('are none where the text has a fault', () => {
    for (const text of ['0', '000000', '00"00', '|NsC1', '00000…', '0000é', ' \n0\n'])
      assert.equal(Payload.of(text, { start: 0, end: text.length }), undefined, JSON.stringify(text));
  });

  it('may be empty, or nothing but white space', () => {
    for (const text of ['', ' \r\n\t ']) {
      const payload = payloadOf(text);
      assert.deepEqual([payload.byteLength, payload.read(0, 10)], [0, new Uint8Array(0)]);
    }
  });

  it('look at the characters of a slice alone, and at whole blocks only where they are wrapped', () => {
    const count = sized(4_000_000);
    const [middle, tenth] = [count / 2, count / 10];
    const bytes = makeBytes(count);
    const plain = encodeBase85(bytes);
    const visits = (text: string, from: number, to: number): number => {
      const counted = new CountedText(text);
      const payload = payloadOf(counted);
      assert.equal(counted.visited, text.length, 'checking looks at each character once');
      counted.visited = 0;
      assert.deepEqual(payload.read(from, to), bytes.slice(from, to));
      return counted.visited;
    };
    assert.equal(visits(plain, middle, middle + 400), 500);
    assert.equal(visits(plain, middle + 1, middle + 3), 5);
    const wrapped = wrap(plain, 120, '\n');
    // The slice's characters and its line ends, and the two blocks of 5,120 in which it begins and ends.
    assert.ok(visits(wrapped, middle, middle + 400) <= 505 + 2 * 5_120);
    const characters = (tenth / 4) * 5;
    assert.ok(visits(wrapped, middle, middle + tenth) <= characters + characters / 120 + 2 + 2 * 5_120);
    assert.ok(visits(wrapped, count - 1, count) <= 6 + 2 * 5_120);
  });

  for (const { name, bytes: size } of DTYPES) {
    it(`give ${name} as numbers, as the whole tensor does`, () => {
      const bytes = makeBytes(size * 300);
      const whole = new Float64Array(300);
      numbersOf({ dtype: name, shape: [300], bytes }).read(0, 300, whole);
      const source = numbersIn(name, payloadOf(wrap(encodeBase85(bytes), 77, '\n')));
      assert.deepEqual([source.dtype, source.length], [name, 300]);
      for (const [from, to] of [
        [0, 300],
        [1, 2],
        [17, 118],
        [299, 300],
      ] as const) {
        const run = new Float64Array(to - from);
        source.read(from, to, run);
        assert.deepEqual(run, whole.slice(from, to));
      }
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countBytes, parseShape, splitTensor, unquoteShape } from '../../../tensor/tensor-text.ts';

describe('the text of a tensor', () => {
  it('is split at its first two colons', () => {
    const text = '[t:uint8:2,2:00:00]';
    assert.deepEqual(splitTensor(text, 3, text.length - 1), {
      dtype: { start: 3, end: 8 },
      shape: { start: 9, end: 12 },
      payload: { start: 13, end: 18 },
    });
    assert.deepEqual(splitTensor('::', 0, 2), {
      dtype: { start: 0, end: 0 },
      shape: { start: 1, end: 1 },
      payload: { start: 2, end: 2 },
    });
    for (const short of ['', 'uint8', 'uint8:2'])
      assert.equal(splitTensor(short, 0, short.length), undefined);
  });

  it('has a shape of decimal dimensions, or none', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const shapes: readonly (readonly [string, object])[] = [
      ['', { kind: 'ok', dimensions: [] }],
      ['0', { kind: 'ok', dimensions: [0n] }],
      ['007,1', { kind: 'ok', dimensions: [7n, 1n] }],
      [`${max}`, { kind: 'ok', dimensions: [BigInt(max)] }],
      [`2,${max}0,0`, { kind: 'too-large', start: 2, end: 19 }],
      ['2,', { kind: 'malformed' }],
      ['2, 3', { kind: 'malformed' }],
      ['-1', { kind: 'malformed' }],
      ['٣', { kind: 'malformed' }],
      ['1,'.repeat(6_000), { kind: 'malformed' }],
    ];
    for (const [source, shape] of shapes) assert.deepEqual(parseShape(source), shape, source.slice(0, 40));
  });

  it('has a shape without its quotation marks where both are the same', () => {
    const quoted: readonly (readonly [string, string | undefined])[] = [
      ['"2,3"', '2,3'],
      ["'2,3'", '2,3'],
      ['""', ''],
      ['"', undefined],
      [`"2,3'`, undefined],
      ['2,3', undefined],
      ['"2,3', undefined],
    ];
    assert.deepEqual(
      quoted.map(([source]) => unquoteShape(source)),
      quoted.map(([, shape]) => shape),
    );
  });

  it('declares bytes exactly, however many', () => {
    const max = BigInt(Number.MAX_SAFE_INTEGER);
    assert.equal(countBytes([], 8), 8n);
    assert.equal(countBytes([max, max], 16), 16n * max * max);
    assert.equal(countBytes([max, 0n, max], 16), 0n);
  });
});

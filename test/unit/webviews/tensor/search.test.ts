import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parsePlace } from '../../../../client/webviews/tensor/search/search-place.ts';
import { parseQuery } from '../../../../client/webviews/tensor/search/search-query.ts';
import { countMatches, findElement } from '../../../../client/webviews/tensor/search/search-scan.ts';
import { numbersOf } from '../../../../tensor/numbers.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

const FLOATS: Tensor = {
  dtype: 'float32',
  shape: [8],
  bytes: new Uint8Array(new Float32Array([0.1, -0, 3.5, Number.NaN, Infinity, -Infinity, -3.5, 0]).buffer),
};

/** The elements that a query finds, in order; or what is wrong with it. */
function find(tensor: Tensor, text: string): readonly number[] | string {
  const query = parseQuery(tensor, text);
  if (query.kind === 'fault') return query.problem;
  const numbers = numbersOf(tensor);
  const found: number[] = [];
  for (let at = numbers.length - 1; found.length < numbers.length;) {
    const next = runAtOnce(findElement(numbers, query.matcher, { at, direction: 'next' }));
    if (next === undefined || found.includes(next)) break;
    found.push(next);
    at = next;
  }
  assert.equal(runAtOnce(countMatches(numbers, query.matcher)), found.length);
  return found;
}

describe('search for values', () => {
  it('finds values, rounded to the type, and zeros of both signs', () => {
    assert.deepEqual(
      ['0.1', '= 0.1', '== 3.5', '−3.5', '0', '7'].map(text => find(FLOATS, text)),
      [[0], [0], [2], [6], [1, 7], []],
    );
  });

  it('finds NaN, infinities of either sign or both, and bits', () => {
    assert.deepEqual(
      ['nan', 'NaN', 'inf', '+inf', '-inf', '0x80000000', '0x7fc00000', '0x7fc00001'].map(text =>
        find(FLOATS, text),
      ),
      [[3], [3], [4, 5], [4], [5], [1], [3], []],
    );
  });

  it('compares, exactly as numbers; NaN with nothing', () => {
    assert.deepEqual(
      ['> 3.4', '>= 3.5', '≥3.5', '< 0', '<= 0', '≤ -inf', '> 0.1', '!= 0', '≠ 3.5', '!= nan'].map(text =>
        find(FLOATS, text),
      ),
      [
        [2, 4],
        [2, 4],
        [2, 4],
        [5, 6],
        [1, 5, 6, 7],
        [5],
        [0, 2, 4],
        [0, 2, 4, 5, 6],
        [0, 1, 4, 5, 6, 7],
        [0, 1, 2, 4, 5, 6, 7],
      ],
    );
  });

  it('tells 64-bit integers apart that are the same double', () => {
    const values = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, -(2n ** 63n)];
    const tensor: Tensor = {
      dtype: 'int64',
      shape: [4],
      bytes: new Uint8Array(new BigInt64Array(values).buffer),
    };
    assert.deepEqual(
      [
        '9007199254740993',
        '> 9007199254740992',
        '>= 9007199254740993',
        '< 9007199254740993',
        '!= 9007199254740993',
        '> 0.5',
        '< -9223372036854775807',
      ].map(text => find(tensor, text)),
      [[1], [1, 2], [1, 2], [0, 3], [0, 2, 3], [0, 1, 2], [3]],
    );
  });

  it('finds complex numbers by both parts, and compares their magnitudes', () => {
    const tensor: Tensor = {
      dtype: 'complex64',
      shape: [3],
      bytes: new Uint8Array(new Float32Array([3, 4, 4, 3, 0, 1]).buffer),
    };
    assert.deepEqual(
      ['3+4i', '4+3j', '> 4', '!= 3+4i'].map(text => find(tensor, text)),
      [[0], [1], [0, 1], [1, 2]],
    );
  });

  it('says what is no query', () => {
    const bytes: Tensor = { dtype: 'uint8', shape: [1], bytes: Uint8Array.of(1) };
    assert.deepEqual(
      [find(bytes, ''), find(bytes, '>'), find(bytes, '> x'), find(bytes, '300')],
      [
        'Write a value, nan, inf, or a comparison such as > 3.5.',
        'Write a value, nan, inf, or a comparison such as > 3.5.',
        "'x' is not a number to compare with, such as > 3.5.",
        '300 does not fit uint8: 0 to 255',
      ],
    );
  });

  it('goes on around either end, over many blocks, and comes to where it began last', () => {
    const bytes = new Uint8Array(100_000);
    const places = [3, 20_000, 60_000, 99_999];
    for (const place of places) bytes[place] = 1;
    const numbers = numbersOf({ dtype: 'uint8', shape: [100_000], bytes });
    const matcher = { mayMatch: (value: number): boolean => value === 1 };
    const walk = (direction: 'next' | 'previous', start: number): readonly (number | undefined)[] => {
      const found: (number | undefined)[] = [];
      for (let at = start; found.length < 5; at = found.at(-1) ?? at)
        found.push(runAtOnce(findElement(numbers, matcher, { at, direction })));
      return found;
    };
    assert.deepEqual(walk('next', 0), [3, 20_000, 60_000, 99_999, 3]);
    assert.deepEqual(walk('previous', 0), [99_999, 60_000, 20_000, 3, 99_999]);
    bytes.fill(0);
    bytes[50] = 1;
    assert.deepEqual(
      (['next', 'previous'] as const).map(direction =>
        runAtOnce(findElement(numbers, matcher, { at: 50, direction })),
      ),
      [50, 50],
    );
  });
});

describe('places to go to', () => {
  it('reads an index for each axis, from either end, or one of all elements', () => {
    const shape = [4, 5, 6];
    assert.deepEqual(
      ['1, 2, 3', '[1,2,3]', '(1 2 3)', '-1,-1,-1', '−1, 0, 0', '45', '-1'].map(text =>
        parsePlace(shape, text),
      ),
      [45, 45, 45, 119, 90, 45, 119].map(index => ({ kind: 'ok', index })),
    );
    assert.deepEqual(parsePlace([7], '3'), { kind: 'ok', index: 3 });
    assert.deepEqual(parsePlace([], ''), { kind: 'ok', index: 0 });
    assert.deepEqual(parsePlace([], '0'), { kind: 'ok', index: 0 });
  });

  it('says what is wrong with others', () => {
    assert.deepEqual(
      [
        parsePlace([4, 5], '1, 5'),
        parsePlace([4, 5], '20'),
        parsePlace([4, 5], '1, 2, 3'),
        parsePlace([4, 5], '1.5, 2'),
        parsePlace([4, 0], '0, 0'),
        parsePlace([4], ''),
      ],
      [
        '5 is outside of axis 1: 0 to 4.',
        '20 is outside of the tensor: 0 to 19.',
        'This tensor has 2 axes: write as many indexes, or one of all elements.',
        "'1.5' is not an index: write whole numbers, such as 3, 17.",
        '0 is outside of axis 1, which is empty.',
        'This tensor has 1 axis: write as many indexes, or one of all elements.',
      ].map(problem => ({ kind: 'fault', problem })),
    );
  });
});

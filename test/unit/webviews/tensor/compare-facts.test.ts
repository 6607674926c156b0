import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  describeTypes,
  describeVerdict,
  listFacts,
  readBoth,
  showPlace,
  type Compared,
} from '../../../../client/webviews/tensor/compare/compare-facts.ts';
import { findDifferences } from '../../../../client/webviews/tensor/compare/compare-work.ts';
import { compareTensors } from '../../../../tensor/compare.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

function doubles(...values: number[]): Tensor {
  return {
    dtype: 'float64',
    shape: [values.length],
    bytes: new Uint8Array(Float64Array.from(values).buffer),
  };
}

function verdict({ one, other }: Compared): string {
  return describeVerdict(compareTensors(one, other));
}

describe('facts of a comparison', () => {
  it('say how much, where, and what both hold there', () => {
    const compared = {
      one: doubles(1, 2, 0.5, Number.NaN, Number.NaN, 3),
      other: doubles(1, 2.5, 0.25, Number.NaN, 7, 0),
    };
    const comparison = compareTensors(compared.one, compared.other);
    assert.deepEqual(listFacts(comparison, compared), [
      { label: 'Largest absolute difference', value: '3', at: 5, note: '3.0 and 0.0' },
      { label: 'Largest relative difference', value: '1', at: 2, note: '0.5 and 0.25' },
      { label: 'Differing elements', value: '4 of 6', at: 1, note: '2.0 and 2.5' },
      { label: 'Cosine similarity', value: '0.60002' },
      { label: 'NaN or infinite in one only', value: '1', at: 4, note: 'nan and 7.0' },
      { label: 'NaN in both', value: '1', note: 'counted as equal' },
      { label: 'Different from a 0', value: '1', note: 'not in the relative difference' },
    ]);
    assert.equal(describeVerdict(comparison), '4 of 6 elements differ.');
  });

  it('name no place where nothing differs', () => {
    const compared = { one: doubles(0, 0), other: doubles(0, -0) };
    assert.deepEqual(listFacts(compareTensors(compared.one, compared.other), compared), [
      { label: 'Largest absolute difference', value: '0' },
      { label: 'Largest relative difference', value: 'none' },
      { label: 'Differing elements', value: '0 of 2' },
      { label: 'Cosine similarity', value: 'none', note: 'one of the two holds nothing but zeros' },
      {
        label: 'Differing in their bits',
        value: '1',
        note: 'zeros of different sign and NaN of different bits are equal values',
      },
    ]);
  });

  it('tell the same bytes from the same values', () => {
    const float: Tensor = { dtype: 'float32', shape: [1], bytes: new Uint8Array(Float32Array.of(1).buffer) };
    assert.deepEqual(
      [
        verdict({ one: doubles(1, 2), other: doubles(1, 2) }),
        verdict({ one: doubles(0, 1), other: doubles(-0, 1) }),
        verdict({ one: doubles(Number.NaN), other: doubles(Number.NaN) }),
        verdict({ one: doubles(1), other: float }),
        verdict({ one: doubles(), other: doubles() }),
      ],
      [
        'Both tensors are the same, byte for byte.',
        'No difference in 2 elements; the bits of 1 of them differ.',
        'Both tensors are the same, byte for byte.',
        'No difference in 1 element.',
        'Both tensors are empty.',
      ],
    );
    assert.equal(
      describeTypes({ one: doubles(1), other: float }),
      'The data types differ: float64 and float32. Values are compared as numbers.',
    );
    assert.equal(describeTypes({ one: float, other: float }), '');
  });

  it('do not call vectors parallel that are not quite', () => {
    const compared = { one: doubles(1, 0), other: doubles(1, 1e-5) };
    const { cosine } = compareTensors(compared.one, compared.other);
    const fact = listFacts(compareTensors(compared.one, compared.other), compared).find(
      ({ label }) => label === 'Cosine similarity',
    );
    assert.deepEqual([fact?.value, fact?.value === '1'], [String(cosine), false]);
  });

  it('read both elements exactly, and their place', () => {
    const whole = (value: bigint): Tensor => ({
      dtype: 'int64',
      shape: [1, 1],
      bytes: new Uint8Array(BigInt64Array.of(value).buffer),
    });
    const compared = { one: whole(2n ** 62n), other: whole(2n ** 62n + 1n) };
    assert.equal(readBoth(compared, 0), '4611686018427387904 and 4611686018427387905');
    assert.equal(showPlace([2, 3, 4], 23), '[1, 2, 3]');
  });

  it('come in steps, with differences and their histogram', () => {
    const compared = {
      one: doubles(...Array.from({ length: 10_000 }, (_, at) => at)),
      other: doubles(...Array.from({ length: 10_000 }, (_, at) => at - (at % 2))),
    };
    const work = findDifferences(compared);
    const shares: number[] = [];
    let step = work.next();
    for (; !step.done; step = work.next()) shares.push(step.value);
    const { comparison, histogram, differences } = step.value;
    assert.deepEqual(
      shares,
      shares.toSorted((one, other) => one - other),
    );
    assert.deepEqual([shares.length > 4, shares.at(-1)], [true, 1]);
    assert.deepEqual(comparison, compareTensors(compared.one, compared.other));
    assert.deepEqual(
      [histogram.counts[0], histogram.counts.at(-1), histogram.looked],
      [5_000, 5_000, 10_000],
    );
    const read = new Float64Array(4);
    differences.read(100, 104, read);
    assert.deepEqual([...read], [0, 1, 0, 1]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { imaginaryPart, readElement, realPart, type Element } from '../../../tensor/elements.ts';
import { fillTensor, findShapeProblem, type Fill } from '../../../tensor/fill.ts';
import { elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { DTYPE_NAMES } from './support/tensors.ts';

function fill(kind: Fill, dtype: DtypeName, shape: readonly number[]): Tensor {
  const filled = fillTensor(kind, dtype, shape);
  assert.ok(filled.kind === 'ok');
  return filled.tensor;
}

function elementsOf(tensor: Tensor): readonly Element[] {
  return Array.from({ length: tensor.bytes.length / elementSize(tensor.dtype) }, (_, index) =>
    readElement(tensor, index),
  );
}

/** Mulberry32 on integers of any size. */
function words(seed: bigint, count: number): readonly bigint[] {
  const cut = (value: bigint): bigint => BigInt.asUintN(32, value);
  return Array.from({ length: count }, (_, index) => {
    const counter = cut(seed + 0x6d2b79f5n * BigInt(index + 1));
    const first = cut((counter ^ (counter >> 15n)) * (counter | 1n));
    const second = first ^ cut(first + cut((first ^ (first >> 7n)) * (first | 61n)));
    return cut(second ^ (second >> 14n));
  });
}

/** Steps between 0 and 1 of a random float: 2 to the power of its significant bits. */
const STEPS: Partial<Readonly<Record<DtypeName, number>>> = {
  float8_e5m2: 2 ** 3,
  float8_e4m3fn: 2 ** 4,
  bfloat16: 2 ** 8,
  float16: 2 ** 11,
  float32: 2 ** 24,
  complex64: 2 ** 24,
  float64: 2 ** 53,
  complex128: 2 ** 53,
};

describe('a new tensor', () => {
  for (const dtype of DTYPE_NAMES) {
    it(`${dtype}: zeros, ones, or random elements that the seed decides`, () => {
      const zero =
        dtype === 'bool'
          ? false
          : dtype.endsWith('int64')
            ? 0n
            : dtype.startsWith('complex')
              ? { re: 0, im: 0 }
              : 0;
      const one =
        dtype === 'bool'
          ? true
          : dtype.endsWith('int64')
            ? 1n
            : dtype.startsWith('complex')
              ? { re: 1, im: 0 }
              : 1;
      assert.deepEqual(elementsOf(fill({ kind: 'zeros' }, dtype, [2, 1])), [zero, zero]);
      assert.deepEqual(elementsOf(fill({ kind: 'ones' }, dtype, [2, 1])), [one, one]);
      assert.deepEqual(
        fill({ kind: 'random', seed: 5 }, dtype, [3]),
        fill({ kind: 'random', seed: 5 }, dtype, [3]),
      );
      const [five, six] = [5, 6].map(seed => fill({ kind: 'random', seed }, dtype, [100]));
      assert.notDeepEqual(five, six);
    });

    it(`${dtype}: random elements are spread over what they may be`, () => {
      const elements = elementsOf(fill({ kind: 'random', seed: 1 }, dtype, [50, 80]));
      const steps = STEPS[dtype];
      const bits = BigInt(elementSize(dtype) * 8);
      const low = dtype.startsWith('int') ? -(2n ** (bits - 1n)) : 0n;
      const parts = elements.flatMap(element =>
        typeof element === 'object' ? [realPart(element), imaginaryPart(element)] : [realPart(element)],
      );
      // Each as a part of its range, from 0 up to before 1.
      const places = parts.map(part => {
        if (dtype === 'bool') return Number(part) / 2;
        if (!steps) return Number(((BigInt(part) - low) << 52n) >> bits) / 2 ** 52;
        assert.ok(Number.isInteger(Number(part) * steps), `${part}`);
        return Number(part);
      });
      assert.ok(places.every(place => place >= 0 && place < 1));
      const quarters = [0, 0, 0, 0];
      for (const place of places)
        quarters[Math.floor(place * 4)] = (quarters[Math.floor(place * 4)] ?? 0) + 1;
      const wanted = dtype === 'bool' ? [1 / 2, 0, 1 / 2, 0] : [1 / 4, 1 / 4, 1 / 4, 1 / 4];
      for (const [at, share] of wanted.entries())
        assert.ok(Math.abs((quarters[at] ?? 0) / places.length - share) < 0.04, `${quarters.join(' ')}`);
    });
  }

  it('takes its random bits from Mulberry32', () => {
    const [seed, count] = [-7, 50];
    const drawn = words(BigInt(seed), count);
    const random = { kind: 'random', seed } as const;
    assert.deepEqual(elementsOf(fill(random, 'uint32', [count])), drawn.map(Number));
    assert.deepEqual(
      elementsOf(fill(random, 'bool', [4])),
      [0n, 8n, 16n, 24n].map(shift => ((drawn[0] ?? 0n) >> shift) % 2n === 1n),
    );
    assert.deepEqual(
      elementsOf(fill(random, 'float32', [count])),
      drawn.map(word => Number(word >> 8n) / 2 ** 24),
    );
    assert.deepEqual(
      elementsOf(fill(random, 'float16', [count])),
      drawn.map(word => Number(word >> 21n) / 2 ** 11),
    );
    const doubles = Array.from({ length: count / 2 }, (_, index) => {
      const [high = 0n, low = 0n] = drawn.slice(index * 2);
      return Number(((high >> 11n) << 32n) | low) / 2 ** 53;
    });
    assert.deepEqual(elementsOf(fill(random, 'float64', [count / 2])), doubles);
  });

  it('has no elements, or one, where the shape says so', () => {
    for (const kind of [{ kind: 'zeros' }, { kind: 'ones' }, { kind: 'random', seed: 1 }] as const) {
      assert.deepEqual(fill(kind, 'float64', [3, 0, Number.MAX_SAFE_INTEGER]).bytes, new Uint8Array(0));
      assert.equal(fill(kind, 'float64', []).bytes.length, 8);
    }
  });

  it('of a shape that is none, or too large, is refused before anything is allocated', () => {
    const large = '268435457 of uint8 takes 256 MiB; a new tensor has at most 256 MiB';
    const cases: readonly (readonly [DtypeName, readonly number[], string | undefined])[] = [
      ['uint8', [2, -1], 'Every size of a new tensor is 0 or more'],
      ['uint8', [1.5], 'Every size of a new tensor is 0 or more'],
      ['uint8', [268435457], large],
      [
        'float64',
        [2 ** 50, 2 ** 50],
        '1125899906842624×1125899906842624 of float64 takes … PiB; a new tensor has at most 256 MiB',
      ],
      ['float64', [4096, 8192], undefined],
    ];
    for (const [dtype, shape, problem] of cases) {
      assert.equal(findShapeProblem(dtype, shape)?.replace(/[\d,]+ PiB/, '… PiB'), problem);
      if (problem === undefined) continue;
      assert.deepEqual(fillTensor({ kind: 'ones' }, dtype, shape), {
        kind: 'fault',
        problem: findShapeProblem(dtype, shape),
      });
    }
  });
});

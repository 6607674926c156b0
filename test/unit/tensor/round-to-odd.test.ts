import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ELEMENTS } from '../../../tensor/elements.ts';
import { roundToOdd } from '../../../tensor/round-to-odd.ts';

describe('rounding to odd', () => {
  it('stays on a number and on an odd double, else goes to the odd one beside it', () => {
    const unexpected = 1 + Number.EPSILON;
    const cases = [
      [1, 0, 1],
      [1, 1, unexpected],
      [1, -1, 1 - Number.EPSILON / 2],
      [-1, -1, -unexpected],
      [-1, 1, -1 + Number.EPSILON / 2],
      [unexpected, 1, unexpected],
      [unexpected, -1, unexpected],
      [0, 1, 5e-324],
      [-0, -1, -5e-324],
      [-0, 0, -0],
      [Infinity, -1, Infinity],
    ] as const;
    assert.deepEqual(
      cases.map(([nearest, side]) => roundToOdd(nearest, side)),
      cases.map(([, , wanted]) => wanted),
    );
  });

  it('lets a 64-bit integer be rounded to float32 as if at once', () => {
    const view = new DataView(new ArrayBuffer(4));
    // The oracle works on the integer itself: 24 bits remain, half goes to the even one.
    const round = (value: bigint): bigint => {
      const shift = BigInt(Math.max(0, value.toString(2).length - 24));
      const [stored, rest, half] = [
        value >> shift,
        value & ((1n << shift) - 1n),
        shift > 0n ? 1n << (shift - 1n) : 1n,
      ];
      const isUp = rest > half || (rest === half && stored % 2n === 1n);
      return (stored + (isUp ? 1n : 0n)) << shift;
    };
    // Numbers beside the middle between two floats, which a double cannot tell from it.
    const near = fc
      .tuple(fc.bigInt(1n << 23n, (1n << 24n) - 1n), fc.bigInt(-3n, 3n))
      .map(([stored, off]) => (((stored << 1n) | 1n) << 38n) + off);
    fc.assert(
      fc.property(fc.oneof(near, fc.bigInt(0n, (1n << 63n) - 1n)), value => {
        ELEMENTS.float32.write(view, 0, value);
        assert.equal(BigInt(ELEMENTS.float32.read(view, 0)), round(value));
        ELEMENTS.float32.write(view, 0, -value);
        assert.equal(BigInt(-ELEMENTS.float32.read(view, 0)), round(value));
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  SMALL_FLOATS,
  smallFloatTable,
  toSmallFloat,
  type SmallFloatName,
} from '../../../tensor/small-floats.ts';
import { nextDouble } from './support/doubles.ts';
import { sized } from '../../support/size.ts';

const NAMES = Object.keys(SMALL_FLOATS) as SmallFloatName[];

/** The layouts as their papers draw them: exponent bits, mantissa bits, and whether there are infinities. */
const LAYOUTS: Readonly<Record<SmallFloatName, readonly [number, number, boolean]>> = {
  float16: [5, 10, true],
  bfloat16: [8, 7, true],
  float8_e4m3fn: [4, 3, false],
  float8_e5m2: [5, 2, true],
};

/** One in so many patterns of 16 bits is looked at: a prime, so that they are of all kinds. */
const STEP = sized(1, 61);

function stepOf(table: { readonly length: number }): number {
  return table.length > 256 ? STEP : 1;
}

/** The meaning of a bit pattern, read from its digits. */
function meaningOf(name: SmallFloatName, bits: number): number {
  const [exponents, mantissas, hasInfinity] = LAYOUTS[name];
  const digits = bits.toString(2).padStart(1 + exponents + mantissas, '0');
  const sign = digits.startsWith('1') ? -1 : 1;
  const exponent = digits.slice(1, 1 + exponents);
  const mantissa = digits.slice(1 + exponents);
  const bias = 2 ** (exponents - 1) - 1;
  const isTop = !exponent.includes('0');
  if (isTop && hasInfinity) return mantissa.includes('1') ? Number.NaN : sign * Infinity;
  if (isTop && !mantissa.includes('0')) return Number.NaN;
  const fraction = Number.parseInt(mantissa, 2) / 2 ** mantissas;
  return exponent.includes('1')
    ? sign * (1 + fraction) * 2 ** (Number.parseInt(exponent, 2) - bias)
    : sign * fraction * 2 ** (1 - bias);
}

describe('floats of 8 and 16 bits', () => {
  for (const name of NAMES) {
    it(`${name}: every pattern means what its bits say, and is written back`, () => {
      const table = smallFloatTable(name);
      const [exponents, mantissas] = LAYOUTS[name];
      assert.equal(table.length, 2 ** (1 + exponents + mantissas));
      const step = stepOf(table);
      const patterns = Array.from({ length: Math.ceil(table.length / step) }, (_, index) => index * step);
      const meanings = patterns.map(bits => meaningOf(name, bits));
      assert.deepEqual(
        patterns.map(bits => table[bits]),
        meanings,
      );
      const { nan } = SMALL_FLOATS[name];
      const back = meanings.map(value => toSmallFloat(name, value));
      const wanted = meanings.map((value, index) => (Number.isNaN(value) ? nan : patterns[index]));
      assert.deepEqual(back, wanted);
      assert.ok(Number.isNaN(table[nan]));
    });

    it(`${name}: a number between two goes to the nearer one, to the even one from halfway, and past the end`, () => {
      const table = smallFloatTable(name);
      const finite = [...table].findIndex(value => !Number.isFinite(value));
      const step = stepOf(table);
      const looked = Array.from({ length: Math.ceil(finite / step) }, (_, index) => index * step);
      // The last one is among them in any case.
      for (const bits of new Set([...looked, finite - 1])) {
        const low = table[bits] ?? 0;
        // Past the last finite number lies what would be the next one; from halfway on it is too large.
        const high = bits + 1 < finite ? (table[bits + 1] ?? 0) : 2 * low - (table[bits - 1] ?? 0);
        const middle = (low + high) / 2;
        const even = bits % 2 === 0 ? bits : bits + 1;
        const sign = table.length / 2;
        for (const [value, wanted] of [
          [nextDouble(middle, -1), bits],
          [middle, even],
          [nextDouble(middle, 1), bits + 1],
        ] as const) {
          assert.equal(toSmallFloat(name, value), wanted, `${value}`);
          assert.equal(toSmallFloat(name, -value), sign + wanted, `${-value}`);
        }
      }
      const past = 'infinity' in SMALL_FLOATS[name] ? SMALL_FLOATS[name].infinity : SMALL_FLOATS[name].nan;
      assert.deepEqual([toSmallFloat(name, Number.MAX_VALUE), toSmallFloat(name, Infinity)], [past, past]);
      assert.deepEqual([toSmallFloat(name, 5e-324), toSmallFloat(name, -5e-324)], [0, table.length / 2]);
    });
  }
});

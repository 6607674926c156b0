import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { exactDecimal, isSameDecimal, readDecimal, showDecimal } from '../../../core/text/exact-decimal.ts';

describe('the exact value of a double', () => {
  it('reads back to the double, and as a literal is that value and no other', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        const exact = exactDecimal(value);
        assert.ok(exact);
        const shown = showDecimal(exact, 800);
        assert.ok(Object.is(Number(shown), value), shown);
        const read = readDecimal(shown);
        assert.ok(read && isSameDecimal(read, exact), shown);
      }),
    );
  });

  it('a literal that differs in any digit is another value', () => {
    const tenth = exactDecimal(0.1);
    for (const literal of ['0.1', '-0.1', '0.1000000000000000055511151231257827021181583404541015626']) {
      const read = readDecimal(literal);
      assert.ok(tenth && read && !isSameDecimal(tenth, read), literal);
    }
  });

  it('infinities, NaN and other texts have none', () => {
    assert.deepEqual([Infinity, -Infinity, NaN].map(exactDecimal), [undefined, undefined, undefined]);
    for (const text of ['', '.', 'e1', '1e', 'x', '1_0', '1'.repeat(1_001)])
      assert.equal(readDecimal(text), undefined, text);
  });

  it('so many digits are shown at most', () => {
    const show = (value: number, most: number): string => {
      const exact = exactDecimal(value);
      return exact ? showDecimal(exact, most) : '';
    };
    assert.deepEqual(
      [show(0.1, 3), show(1e23, 5), show(-0, 3), show(1200, 9), show(2 ** -30, 21)],
      ['0.100…', '9.9999…e22', '-0.0', '1200.0', '9.31322574615478515625e-10'],
    );
  });
});

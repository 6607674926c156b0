import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exactDigits } from '../../../../client/webviews/tensor/value-line.ts';
import type { DtypeName } from '../../../../core/catalog/dtypes.ts';

describe('all digits of an element', () => {
  const rows: readonly (readonly [DtypeName, number, string | undefined])[] = [
    ['float16', 65504, '65504.0'],
    ['float32', Math.fround(0.1), '0.100000001490116119384765625'],
    ['float64', 0.1, '0.1000000000000000055511151231257827021181583404541015625'],
    ['float64', 5e-324, '4.94065645841246544176568792868221372365059802614324764425585…e-324'],
    ['float32', 0.5, undefined],
    ['float32', -0, undefined],
    ['float16', Number.NaN, undefined],
    ['float16', Infinity, undefined],
    ['int32', 7, undefined],
  ];
  for (const [dtype, value, digits] of rows) {
    it(`${dtype} ${value}: ${digits ?? 'are those that are shown'}`, () => {
      assert.equal(exactDigits(dtype, value), digits);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { planeOf } from '../../../../client/webviews/tensor/axes.ts';
import { copyCells, copyProblem, cutRectangle } from '../../../../client/webviews/tensor/grid/grid-copy.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

const CUBE: Tensor = {
  dtype: 'uint8',
  shape: [2, 3, 4],
  bytes: Uint8Array.from({ length: 24 }, (_, at) => at),
};
const RECTANGLE = { top: 1, left: 0, bottom: 3, right: 2 };

describe('copying cells', () => {
  it('writes a line a row and a tab between columns, each value exact', () => {
    const values = [0.1, -0, Number.NaN, -Infinity, 1 / 3, 3e38];
    const tensor: Tensor = {
      dtype: 'float32',
      shape: [2, 3],
      bytes: new Uint8Array(new Float32Array(values).buffer),
    };
    const plane = planeOf(tensor.shape, { rows: 0, columns: 1, at: [0, 0] });
    assert.equal(
      runAtOnce(copyCells(tensor, plane, { top: 0, left: 0, bottom: 2, right: 3 })),
      '0.1\t-0.0\tnan\n-inf\t0.33333334\t3e+38',
    );
  });

  it('copies what is seen, also of exchanged axes', () => {
    const plane = planeOf(CUBE.shape, { rows: 2, columns: 1, at: [1, 0, 0] });
    assert.equal(runAtOnce(copyCells(CUBE, plane, RECTANGLE)), '13\t17\n14\t18');
    assert.deepEqual(cutRectangle(CUBE, plane, RECTANGLE), {
      dtype: 'uint8',
      shape: [2, 2],
      bytes: Uint8Array.of(13, 17, 14, 18),
    });
  });

  it('cuts no axis that is not there', () => {
    const line: Tensor = { dtype: 'int16', shape: [3], bytes: Uint8Array.of(1, 0, 2, 0, 3, 0) };
    const column = planeOf([3], { rows: 0, columns: undefined, at: [0] });
    const row = planeOf([3], { rows: undefined, columns: 0, at: [0] });
    const single: Tensor = { dtype: 'uint8', shape: [], bytes: Uint8Array.of(7) };
    const bytes = Uint8Array.of(2, 0, 3, 0);
    assert.deepEqual(
      [
        cutRectangle(line, column, { top: 1, left: 0, bottom: 3, right: 1 }),
        cutRectangle(line, row, { top: 0, left: 1, bottom: 1, right: 3 }),
        cutRectangle(single, planeOf([], { rows: undefined, columns: undefined, at: [] }), {
          top: 0,
          left: 0,
          bottom: 1,
          right: 1,
        }),
      ],
      [{ dtype: 'int16', shape: [2], bytes }, { dtype: 'int16', shape: [2], bytes }, single],
    );
  });

  it('is refused with the numbers where it would be too much', () => {
    const rectangle = { top: 0, left: 0, bottom: 4000, right: 4000 };
    assert.deepEqual(
      [copyProblem(RECTANGLE), copyProblem(rectangle), copyProblem(rectangle, 50_000)],
      [
        undefined,
        '16,000,000 values are selected, and at most 1,000,000 can be copied. Export the selection instead.',
        '16,000,000 values are selected, and at most 50,000 can be copied. Export the selection instead.',
      ],
    );
  });

  it('lets others work at least every 128 values', () => {
    const plane = planeOf([24], { rows: 0, columns: undefined, at: [0] });
    const large: Tensor = { dtype: 'uint8', shape: [1000], bytes: new Uint8Array(1000) };
    const steps = copyCells(large, plane, { top: 0, left: 0, bottom: 1000, right: 1 });
    const shares: number[] = [];
    for (let step = steps.next(); !step.done; step = steps.next()) shares.push(step.value);
    assert.deepEqual(shares, [0.128, 0.256, 0.384, 0.512, 0.64, 0.768, 0.896]);
  });
});

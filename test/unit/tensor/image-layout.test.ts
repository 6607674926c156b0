import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { guessLayout, isUnit, listLayouts, type ImageLayout } from '../../../tensor/image-layout.ts';

/** `HWC 0,1,2 RGB`: the axes of rows, columns and channels. */
function show(layout: ImageLayout | undefined): string | undefined {
  if (!layout) return undefined;
  const { name, rows, columns, channels, colours } = layout;
  return `${name} ${[rows, columns, ...(channels === undefined ? [] : [channels])].join()} ${colours}`;
}

function list(shape: readonly number[], dtype: DtypeName = 'uint8'): readonly (string | undefined)[] {
  return listLayouts(shape, dtype).map(show);
}

describe('the layout of an image', () => {
  it('can be any that the shape allows, channels last before channels first before grey', () => {
    assert.deepEqual(
      {
        rgb: list([224, 224, 3]),
        batch: list([8, 32, 30, 4]),
        first: list([3, 224, 224]),
        both: list([3, 40, 4]),
        grey: list([28, 28]),
        digits: list([60_000, 28, 28]),
        five: list([5, 9, 5]),
        row: list([9]),
        single: list([]),
        empty: list([0, 9, 3]),
        complex: list([9, 9, 3], 'complex64'),
      },
      {
        rgb: ['HWC 0,1,2 RGB', 'HW 1,2 grey'],
        batch: ['HWC 1,2,3 RGB and alpha', 'HW 2,3 grey'],
        first: ['CHW 1,2,0 RGB', 'HW 1,2 grey'],
        both: ['HWC 0,1,2 RGB and alpha', 'CHW 1,2,0 RGB', 'HW 1,2 grey'],
        grey: ['HW 0,1 grey'],
        digits: ['HW 1,2 grey'],
        five: ['HW 1,2 grey'],
        row: [],
        single: [],
        empty: [],
        complex: [],
      },
    );
    assert.deepEqual(list([9, 9, 2]), ['HWC 0,1,2 grey and alpha', 'HW 1,2 grey']);
    assert.deepEqual(list([1, 9, 9]), ['CHW 1,2,0 grey', 'HW 1,2 grey']);
  });

  it('is guessed for what looks like an image', () => {
    const unit = { min: 0, max: 1 };
    assert.deepEqual(
      [
        guessLayout([224, 224, 3], 'uint8'),
        guessLayout([10, 64, 48, 4], 'uint8'),
        guessLayout([3, 224, 224], 'float32', unit),
        guessLayout([2, 1, 28, 28], 'float16', { min: 0.25, max: 0.5 }),
        guessLayout([28, 28], 'uint8'),
        guessLayout([2, 28, 28], 'uint8'),
        guessLayout([4, 28, 28], 'uint8'),
        guessLayout([3, 20, 3], 'uint8'),
        guessLayout([8, 8, 1], 'uint8'),
      ].map(show),
      [
        'HWC 0,1,2 RGB',
        'HWC 1,2,3 RGB and alpha',
        'CHW 1,2,0 RGB',
        'CHW 2,3,1 grey',
        'HW 0,1 grey',
        'HW 1,2 grey',
        'HW 1,2 grey',
        undefined,
        'HWC 0,1,2 grey',
      ],
    );
  });

  it('is not guessed for weights, matrices, small tables and numbers that are no shares', () => {
    const unit = { min: 0, max: 1 };
    assert.deepEqual(
      [
        guessLayout([64, 3, 7, 7], 'float32', unit),
        guessLayout([512, 768], 'float32', unit),
        guessLayout([224, 224, 3], 'float32'),
        guessLayout([224, 224, 3], 'float32', { min: -0.1, max: 1 }),
        guessLayout([224, 224, 3], 'float32', { min: 0, max: 1.5 }),
        guessLayout([224, 224, 3], 'int64', unit),
        guessLayout([7, 64, 3], 'uint8'),
        guessLayout([64, 64, 2], 'uint8'),
        guessLayout([1_000], 'uint8'),
        guessLayout([0, 64, 3], 'uint8'),
      ],
      new Array<undefined>(10).fill(undefined),
    );
    assert.deepEqual(
      [isUnit(unit), isUnit({ min: 0, max: 1.001 }), isUnit({ min: -1e-9, max: 1 })],
      [true, false, false],
    );
  });
});

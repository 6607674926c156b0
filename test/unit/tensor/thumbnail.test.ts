import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { colourTable } from '../../../tensor/colour-maps.ts';
import { numbersOf, type NumberSource } from '../../../tensor/numbers.ts';
import { countElements, type Tensor } from '../../../tensor/tensor.ts';
import { thumbnail } from '../../../tensor/thumbnail.ts';
import { sized } from '../../support/size.ts';
import { countReads, doubles } from './support/reads.ts';

const FRAME = { width: 128, height: 96 };

function bytesOf(shape: readonly number[]): Tensor {
  const bytes = Uint8Array.from({ length: countElements(shape) }, (_, at) => at % 251);
  return { dtype: 'uint8', shape, bytes };
}

/** Size and words of the thumbnail of a shape; elements are -1, 0, 1, … */
function outline(shape: readonly number[], source: NumberSource = counting(shape)): readonly unknown[] {
  const found = thumbnail(source, shape, FRAME);
  return [found?.width, found?.height, found?.words];
}

function counting(shape: readonly number[]): NumberSource {
  return doubles(Array.from({ length: countElements(shape) }, (_, at) => at - 1));
}

describe('a thumbnail', () => {
  it('has the exact pixels of a small image, as large squares', () => {
    const shape = [8, 10, 3];
    const tensor = bytesOf(shape);
    const found = thumbnail(numbersOf(tensor), shape, FRAME);
    const rgba = new Uint8ClampedArray(120 * 96 * 4).fill(255);
    for (let y = 0; y < 96; y++)
      for (let x = 0; x < 120; x++) {
        const pixel = Math.floor(y / 12) * 10 + Math.floor(x / 12);
        rgba.set(tensor.bytes.subarray(pixel * 3, pixel * 3 + 3), (y * 120 + x) * 4);
      }
    assert.deepEqual(found, {
      width: 120,
      height: 96,
      rgba,
      words: 'Image of 10 × 8 pixels, RGB (HWC); black is 0, white is 255',
    });
  });

  it('has a colour map around 0 where there are both signs, else from the least to the greatest', () => {
    const both = thumbnail(doubles([-1, 0, 2]), [3], FRAME);
    const one = thumbnail(doubles([1, 2, 3]), [3], FRAME);
    const at = (name: 'cool' | 'diverging', step: number): readonly number[] => [
      ...colourTable(name).subarray(step * 3, step * 3 + 3),
      255,
    ];
    const row = [0, 16, 32];
    assert.deepEqual(
      [both, one].map(found => row.map(x => [...(found?.rgba.subarray(x * 4, x * 4 + 4) ?? [])])),
      [
        [at('diverging', 64), at('diverging', 128), at('diverging', 255)],
        [at('cool', 0), at('cool', 128), at('cool', 255)],
      ],
    );
  });

  it('enlarges few elements, keeps the ratio of many, and is never thinner than 16 pixels', () => {
    assert.deepEqual(
      {
        single: outline([]),
        row: outline([3]),
        matrix: outline([2, 3]),
        large: outline([300, 400]),
        tall: outline([5_000, 2]),
        long: outline([100_000]),
        stack: outline([2, 1, 4, 5]),
        ones: outline([1, 1, 4, 5]),
        empty: outline([3, 0]),
      },
      {
        single: [16, 16, 'Heat map of 1 row and 1 column; −1 to −1, blue to yellow'],
        row: [48, 16, 'Heat map of 1 row and 3 columns; −1 to 1, blue, white, red'],
        matrix: [48, 32, 'Heat map of 2 rows and 3 columns; −4 to 4, blue, white, red'],
        large: [
          128,
          96,
          'Heat map of 300 rows and 400 columns; 800.5 to 119597, blue to yellow; each of 128 × 96 points is the mean of its block; a sample of 76,800 of 120,000 elements',
        ],
        tall: [
          16,
          96,
          'Heat map of 5,000 rows and 2 columns; 51 to 9948, blue to yellow; each of 2 × 96 points is the mean of its block; a sample of 384 of 10,000 elements',
        ],
        long: [
          128,
          16,
          'Heat map of 1 row and 100,000 columns; 389.5 to 99608, blue to yellow; each of 128 × 1 points is the mean of its block; a sample of 8,192 of 100,000 elements',
        ],
        stack: [80, 64, 'Heat map of 4 rows and 5 columns; −18 to 18, blue, white, red; at [0, 0, :, :]'],
        ones: [80, 64, 'Heat map of 4 rows and 5 columns; −18 to 18, blue, white, red'],
        empty: [undefined, undefined, undefined],
      },
    );
  });

  it('is an image for floats only where a sample of them is within 0 and 1', () => {
    const shape = [3, 8, 8];
    const floats = (scale: number): NumberSource =>
      numbersOf({
        dtype: 'float32',
        shape,
        bytes: new Uint8Array(Float32Array.from({ length: 192 }, (_, at) => (at / 191) * scale).buffer),
      });
    assert.deepEqual(
      [outline(shape, floats(1)), outline(shape, floats(1.01))],
      [
        [96, 96, 'Image of 8 × 8 pixels, RGB (CHW); black is 0, white is 1'],
        [96, 96, 'Heat map of 8 rows and 8 columns; 0 to 0.3331, blue to yellow; at [0, :, :]'],
      ],
    );
  });

  it('of numbers that are all NaN is drawn too', () => {
    assert.deepEqual(outline([2], doubles([Number.NaN, Infinity])), [
      32,
      16,
      'Heat map of 1 row and 2 columns; 0 to 0, blue to yellow; points with 1 NaN and 1 Inf',
    ]);
  });

  it('of many elements reads the lines that its pixels need', () => {
    const [side, height, width] = [sized(1_600, 200), sized(1_800, 200), sized(1_900, 50)];
    const matrix = countReads(
      numbersOf({ dtype: 'float32', shape: [side, side], bytes: new Uint8Array(4 * side * side) }),
    );
    const image = countReads(numbersOf(bytesOf([height, width, 3])));
    thumbnail(matrix, [side, side], FRAME);
    thumbnail(image, [height, width, 3], FRAME);
    // Two lines a pixel; of the image three times, once a channel.
    assert.deepEqual([matrix.indexes.length, image.indexes.length], [192 * side, 192 * (width * 3 - 2) * 3]);
  });
});

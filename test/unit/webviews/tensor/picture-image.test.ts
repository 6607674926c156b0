import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  imageAt,
  imagePicture,
  pixelOf,
  type ShownImage,
} from '../../../../client/webviews/tensor/picture/picture-image.ts';
import { paintSteps, type PicturePart } from '../../../../client/webviews/tensor/picture/picture-paint.ts';
import { readPixel } from '../../../../client/webviews/tensor/picture/picture-readout.ts';
import { describeShownImage } from '../../../../client/webviews/tensor/picture/picture-words.ts';
import { imageOf, imageScale } from '../../../../tensor/image.ts';
import { guessLayout, listLayouts, type ImageLayout } from '../../../../tensor/image-layout.ts';
import { runAtOnce } from '../../../../core/text/slices.ts';
import { numbersOf } from '../../../../tensor/numbers.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';
import { sized } from '../../../support/size.ts';

function bytesTensor(shape: readonly number[]): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return {
    dtype: 'uint8',
    shape,
    bytes: Uint8Array.from({ length: count }, (_, at) => (at * 31 + (at >> 8)) & 255),
  };
}

function shownImage(tensor: Tensor, name: ImageLayout['name'], at: readonly number[]): ShownImage {
  const layout = listLayouts(tensor.shape, tensor.dtype).find(found => found.name === name);
  assert.ok(layout);
  const scale = imageScale(tensor.dtype, undefined);
  return { numbers: numbersOf(tensor), shape: tensor.shape, layout, at, scale };
}

/** The colours of a part of an image. */
function paintImage(image: ShownImage, part: PicturePart): Uint8ClampedArray {
  return runAtOnce(paintSteps(imagePicture(image, String), part)).rgba;
}

describe('picture of an image', () => {
  it('of RGB bytes has exactly these bytes', () => {
    const side = sized(224, 64);
    const tensor = bytesTensor([side, side, 3]);
    assert.equal(guessLayout(tensor.shape, tensor.dtype)?.name, 'HWC');
    const image = shownImage(tensor, 'HWC', [0, 0, 0]);
    const part = { row: 0, column: 0, rows: side, columns: side, blockRows: 1, blockColumns: 1 };
    const expected = new Uint8ClampedArray(side * side * 4).fill(255);
    for (let pixel = 0; pixel < side * side; pixel++)
      expected.set(tensor.bytes.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    assert.deepEqual(paintImage(image, part), expected);
  });

  it('paints any part of any layout as the whole image has it', () => {
    const side = fc.integer({ min: 1, max: 14 });
    const layouts = fc.constantFrom(
      { name: 'HWC' as const, shapeOf: (h: number, w: number, c: number) => [2, h, w, c] },
      { name: 'CHW' as const, shapeOf: (h: number, w: number, c: number) => [2, c, h, w] },
      { name: 'HW' as const, shapeOf: (h: number, w: number) => [2, h, w] },
    );
    const channels = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        layouts,
        side,
        side,
        channels,
        fc.nat(13),
        fc.nat(13),
        ({ name, shapeOf }, height, width, count, row, column) => {
          if (row >= height || column >= width) return;
          const tensor = bytesTensor(shapeOf(height, width, count));
          const image = shownImage(
            tensor,
            name,
            tensor.shape.map((_, axis) => (axis === 0 ? 1 : 0)),
          );
          const { numbers, shape, layout, at, scale } = image;
          const whole = imageOf(numbers, shape, { layout, at, scale });
          const [rows, columns] = [height - row, width - column];
          const painted = paintImage(image, { row, column, rows, columns, blockRows: 1, blockColumns: 1 });
          const lines = Array.from({ length: rows }, (_, line) => {
            const start = ((row + line) * width + column) * 4;
            return [...whole.rgba.subarray(start, start + columns * 4)];
          });
          assert.deepEqual([...painted], lines.flat());
        },
      ),
    );
  });

  it('made smaller, has the means of its blocks, whichever part is painted', () => {
    const tensor = bytesTensor([30, 50, 3]);
    const image = shownImage(tensor, 'HWC', [0, 0, 0]);
    const paint = (row: number, rows: number): Uint8ClampedArray =>
      paintImage(image, { row, column: 0, rows, columns: 50, blockRows: 4, blockColumns: 4 });
    const whole = paint(0, 30);
    const mean = (row: number, column: number, channel: number): number => {
      let [sum, count] = [0, 0];
      for (let y = row; y < Math.min(30, row + 4); y++) {
        for (let x = column; x < Math.min(50, column + 4); x++, count++)
          sum += tensor.bytes[(y * 50 + x) * 3 + channel] ?? 0;
      }
      return Math.round(sum / count);
    };
    const expected: number[] = [];
    for (let row = 0; row < 30; row += 4) {
      for (let column = 0; column < 50; column += 4)
        expected.push(...[0, 1, 2].map(channel => mean(row, column, channel)), 255);
    }
    const furthest = [...whole].reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (expected[at] ?? 0))),
      0,
    );
    assert.equal(whole.length, expected.length);
    // A mean of just a half is rounded either way.
    assert.ok(furthest <= 1, `a colour is off by ${furthest}`);
    assert.deepEqual([...paint(0, 16), ...paint(16, 14)], [...whole]);
  });

  it('reads only the part that it paints', () => {
    const tensor = bytesTensor([500, 400, 3]);
    const numbers = numbersOf(tensor);
    let read = 0;
    const counting = {
      ...numbers,
      read(from: number, to: number, into: Float64Array): void {
        read += to - from;
        numbers.read(from, to, into);
      },
    };
    const image = { ...shownImage(tensor, 'HWC', [0, 0, 0]), numbers: counting };
    paintImage(image, { row: 100, column: 50, rows: 64, columns: 64, blockRows: 1, blockColumns: 1 });
    // Each of three channels reads the others' elements, too, and somewhat ahead; the image has 600,000.
    assert.ok(read <= 60_000, `${read} elements were read`);
  });

  it('begins unscaled, a tiny one enlarged', () => {
    const zooms = [
      [224, 224, 3],
      [28, 28, 1],
    ].map(shape => {
      const picture = imagePicture(shownImage(bytesTensor(shape), 'HWC', [0, 0, 0]), String);
      return [picture.size, picture.zoom, picture.label({ row: 1, column: 2 })];
    });
    assert.deepEqual(zooms, [
      [{ rows: 224, columns: 224, least: 1 }, { pixels: 1, cells: 1 }, '678 679 680'],
      [{ rows: 28, columns: 28, least: 1 }, undefined, '30'],
    ]);
  });

  it('finds the pixel of an element, in its own image only', () => {
    const image = shownImage(bytesTensor([2, 3, 10, 12]), 'CHW', [1, 0, 0, 0]);
    assert.deepEqual(
      [pixelOf(image, 360 + 120 + 25), pixelOf(image, 120 + 25)],
      [{ row: 2, column: 1, channel: 1 }, undefined],
    );
  });

  it('of several is the one where the sliders stand, or the selected element', () => {
    const shape = [2, 5, 8, 8, 3];
    const selected = 1 * 5 * 192 + 4 * 192;
    assert.deepEqual(
      [
        imageAt(shape, { rows: 3, columns: 4, at: [1, 2, 0, 0, 0] }, selected),
        imageAt(shape, { rows: 1, columns: 4, at: [1, 2, 0, 0, 0] }, selected),
      ],
      [
        [1, 2, 0, 0, 0],
        [1, 4, 0, 0, 0],
      ],
    );
  });

  it('tells pixels and itself in words', () => {
    const tensor = bytesTensor([2, 8, 8, 3]);
    const image = shownImage(tensor, 'HWC', [1, 0, 0, 0]);
    const [red, green, blue] = tensor.bytes.subarray(192 + 27, 192 + 30);
    assert.equal(readPixel(tensor, image, { row: 1, column: 1 }), `[1, 1, 1, :] (${red}, ${green}, ${blue})`);
    assert.equal(
      describeShownImage(image),
      'Image of 8 × 8 pixels, RGB (HWC); black is 0, white is 255; at [1, :, :, :]',
    );
    const grey = bytesTensor([8, 8]);
    assert.equal(readPixel(grey, shownImage(grey, 'HW', [0, 0]), { row: 0, column: 1 }), '[0, 1] 31');
  });
});

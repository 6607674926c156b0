import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { SPECIAL_COLOURS } from '../../../tensor/colour-maps.ts';
import { describeImage } from '../../../tensor/describe-picture.ts';
import { listLayouts, type ImageLayout } from '../../../tensor/image-layout.ts';
import { imageOf, imageScale } from '../../../tensor/image.ts';
import { numbersOf, type NumberSource } from '../../../tensor/numbers.ts';
import { countElements } from '../../../tensor/tensor.ts';
import { countReads, doubles } from './support/reads.ts';
import { sized } from '../../support/size.ts';

function layoutOf(
  name: ImageLayout['name'],
  shape: readonly number[],
  dtype: DtypeName = 'uint8',
): ImageLayout {
  const found = listLayouts(shape, dtype).find(layout => layout.name === name);
  assert.ok(found, `${shape.join()} has no ${name}`);
  return found;
}

/** Bytes that tell their places apart. */
function someBytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, at) => (at * 7919) % 251);
}

function bytesSource(shape: readonly number[]): NumberSource {
  return numbersOf({ dtype: 'uint8', shape, bytes: someBytes(countElements(shape)) });
}

const BYTES = { min: 0, max: 255 };

describe('an image of a tensor', () => {
  it('of bytes in rows of pixels is exactly these bytes', () => {
    const side = sized(224, 64);
    const shape = [side, side, 3];
    const source = countReads(bytesSource(shape));
    const image = imageOf(source, shape, { layout: layoutOf('HWC', shape), at: [0, 0, 0], scale: BYTES });
    const count = side * side * 3;
    const bytes = someBytes(count);
    const rgba = new Uint8ClampedArray(side * side * 4).fill(255);
    for (let pixel = 0; pixel < side * side; pixel++)
      rgba.set(bytes.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    assert.deepEqual(image, { width: side, height: side, rgba, count, looked: count });
  });

  it('takes channels first or last, alpha, and the place on other axes', () => {
    const all = (
      name: ImageLayout['name'],
      shape: readonly number[],
      at: readonly number[],
    ): readonly number[] => [
      ...imageOf(bytesSource(shape), shape, { layout: layoutOf(name, shape), at, scale: BYTES }).rgba,
    ];
    const bytes = someBytes(2 * 2 * 3 * 4);
    const at = (...indexes: number[]): readonly number[] => indexes.map(index => bytes[index] ?? -1);
    assert.deepEqual(
      {
        rgbaSecond: all('HWC', [2, 2, 1, 4], [1, 9, 9, 9]),
        chw: all('CHW', [3, 1, 2], [0, 0, 0]),
        grey: all('HW', [2, 1, 2], [1, 0, 0]),
        greyAlpha: all('HWC', [1, 2, 2], [0, 0, 0]),
        greyChannel: all('HWC', [1, 2, 1], [0, 0, 0]),
      },
      {
        rgbaSecond: at(8, 9, 10, 11, 12, 13, 14, 15),
        chw: [...at(0, 2, 4), 255, ...at(1, 3, 5), 255],
        grey: [...at(2, 2, 2), 255, ...at(3, 3, 3), 255],
        greyAlpha: at(0, 0, 0, 1, 2, 2, 2, 3),
        greyChannel: [...at(0, 0, 0), 255, ...at(1, 1, 1), 255],
      },
    );
  });

  it('is scaled by data type and values', () => {
    const unit = { min: 0, max: 1 };
    const wide = { min: -2, max: 6 };
    assert.deepEqual(
      [
        imageScale('uint8', wide),
        imageScale('uint16', undefined),
        imageScale('bool', wide),
        imageScale('float32', { min: 0.2, max: 0.7 }),
        imageScale('float32', wide),
        imageScale('float64', undefined),
        imageScale('int32', { min: 0, max: 1 }),
        imageScale('int8', wide),
      ],
      [BYTES, { min: 0, max: 65_535 }, unit, unit, wide, unit, { min: 0, max: 1 }, wide],
    );
  });

  it('is black and white at the ends of its scale and beyond', () => {
    const grey = (values: readonly number[], scale: { min: number; max: number }): readonly number[] => {
      const shape = [1, values.length];
      const options = { layout: layoutOf('HW', shape), at: [0, 0], scale };
      const { rgba } = imageOf(doubles(values), shape, options);
      return [...rgba.filter((_, at) => at % 4 === 0)];
    };
    assert.deepEqual(
      [
        grey([0, 0.5, 1, 2, -1], { min: 0, max: 1 }),
        grey([-2, 0, 6, 7], { min: -2, max: 6 }),
        grey([0, 257, 32_896, 65_535], { min: 0, max: 65_535 }),
        grey([0, 1], { min: 0, max: 1 }),
        grey([3, 3], { min: 3, max: 3 }),
        grey([-Number.MAX_VALUE, 0, Number.MAX_VALUE], { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }),
      ],
      [
        [0, 128, 255, 255, 0],
        [0, 64, 255, 255],
        [0, 1, 128, 255],
        [0, 255],
        [0, 0],
        [0, 128, 255],
      ],
    );
  });

  it('marks a pixel with NaN or an infinity in any channel', () => {
    const shape = [1, 4, 3];
    const values = [0, 0, Number.NaN, 0, Infinity, 0, -Infinity, 0, 0, 1, 1, 1];
    const options = { layout: layoutOf('HWC', shape), at: [0, 0, 0], scale: { min: 0, max: 1 } };
    const { nan, positiveInfinity, negativeInfinity } = SPECIAL_COLOURS;
    assert.deepEqual(
      [...imageOf(doubles(values), shape, options).rgba],
      [nan, positiveInfinity, negativeInfinity, [255, 255, 255]].flatMap(colour => [...colour, 255]),
    );
  });

  it('in a smaller picture has means, of some lines only where asked', () => {
    const shape = [40, 20, 3];
    const values = Array.from({ length: 2_400 }, (_, at) => (at % 3) * 100 + Math.floor(at / 60));
    const options = {
      layout: layoutOf('HWC', shape),
      at: [0, 0, 0],
      scale: BYTES,
      size: { width: 2, height: 2 },
    };
    const whole = imageOf(doubles(values), shape, options);
    const part = imageOf(doubles(values), shape, { ...options, detail: 2 });
    const top = [10, 110, 210, 255];
    const bottom = [30, 130, 230, 255];
    assert.deepEqual(
      { ...part, rgba: [...part.rgba] },
      { width: 2, height: 2, rgba: [...top, ...top, ...bottom, ...bottom], count: 2_400, looked: 240 },
    );
    // The rounding of 9.5: half to even, as the canvas has it.
    assert.deepEqual([[...whole.rgba.subarray(0, 4)], whole.looked], [top, 2_400]);
  });

  it('is described in words', () => {
    assert.equal(
      describeImage({ rows: 1_080, columns: 1_920 }, layoutOf('HWC', [1_080, 1_920, 4]), {
        min: -1.5,
        max: 1,
      }),
      'Image of 1,920 × 1,080 pixels, RGB and alpha (HWC); black is −1.5, white is 1',
    );
  });
});

import type { ValueRange, Plane } from '../../../tensor/heat-map.ts';
import type { ImageLayout } from '../../../tensor/image-layout.ts';
import { imageOf } from '../../../tensor/image.ts';
import type { NumberSource } from '../../../tensor/numbers.ts';
import { placeOf, stridesOf } from '../../../tensor/tensor.ts';
import { indexAt, type Cell, type Slicing } from './axes.ts';
import { BLOCK_DETAIL, spansOf } from './picture-blocks.ts';
import type { Picture } from './picture-stage.ts';
import type { PicturePart } from './picture-tiles.ts';
import { ACTUAL_SIZE } from './picture-viewport.ts';

/** Smaller images are enlarged at first. */
const LEAST_ACTUAL = 64;

/** A tensor shown as an image. */
export interface ShownImage {
  readonly numbers: NumberSource;
  readonly shape: readonly number[];
  readonly layout: ImageLayout;
  /** The index on each axis; those of the layout's axes are not used. */
  readonly at: readonly number[];
  /** The values that are black and white. */
  readonly scale: ValueRange;
}

/**
 * Which image of several is seen: where the slicing stands. An axis that the slicing shows as rows or columns stands
 * where the selected element is.
 */
export function imageAt(
  shape: readonly number[],
  slicing: Slicing,
  selected: number | undefined,
): readonly number[] {
  const place = selected === undefined ? [] : placeOf(shape, selected);
  return slicing.at.map((at, axis) =>
    axis === slicing.rows || axis === slicing.columns ? (place[axis] ?? 0) : at,
  );
}

/** The plane of one channel of an image. */
export function channelPlane({ shape, layout, at }: ShownImage, channel: number): Plane {
  const strides = stridesOf(shape);
  const { rows, columns, channels } = layout;
  const offset = strides.reduce((sum, stride, axis) => {
    if (axis === rows || axis === columns) return sum;
    return sum + stride * (axis === channels ? channel : (at[axis] ?? 0));
  }, 0);
  return {
    rows: shape[rows] ?? 0,
    columns: shape[columns] ?? 0,
    rowStride: strides[rows] ?? 0,
    columnStride: strides[columns] ?? 0,
    offset,
  };
}

/** How many channels a layout has: 1 where no axis holds them. */
function countChannels(shape: readonly number[], { channels }: ImageLayout): number {
  return channels === undefined ? 1 : (shape[channels] ?? 1);
}

/** The pixel of an element, and its channel; undefined where the element belongs to another image. */
export function pixelOf(
  { shape, layout, at }: ShownImage,
  index: number,
): (Cell & { readonly channel: number }) | undefined {
  const place = placeOf(shape, index);
  const { rows, columns, channels } = layout;
  const isHere = place.every((along, axis) => [rows, columns, channels].includes(axis) || along === at[axis]);
  if (!isHere) return undefined;
  const channel = channels === undefined ? 0 : (place[channels] ?? 0);
  return { row: place[rows] ?? 0, column: place[columns] ?? 0, channel };
}

/** An image as a picture; `textOf` gives the text of an element by its index. */
export function imagePicture(image: ShownImage, textOf: (index: number) => string): Picture {
  const { rows, columns } = channelPlane(image, 0);
  return {
    size: { rows, columns, least: 1 },
    hasAlpha: image.layout.colours.endsWith('alpha'),
    zoom: Math.max(rows, columns) < LEAST_ACTUAL ? undefined : ACTUAL_SIZE,
    paint: part => paintImage(image, part),
    label: cell => channelIndices(image, cell).map(textOf).join(' '),
  };
}

/** The elements of a pixel, one for each channel. */
export function channelIndices(image: ShownImage, cell: Cell): readonly number[] {
  const count = countChannels(image.shape, image.layout);
  return Array.from({ length: count }, (_, channel) => indexAt(channelPlane(image, channel), cell));
}

/** Paints a part of an image as RGBA. Each block of pixels is what it is in the whole image. */
export function paintImage(image: ShownImage, part: PicturePart): Uint8ClampedArray {
  const height = Math.ceil(part.rows / part.blockRows);
  const width = Math.ceil(part.columns / part.blockColumns);
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (const down of spansOf(part.rows, part.blockRows)) {
    for (const across of spansOf(part.columns, part.blockColumns)) {
      const painted = paintWindow(
        image,
        {
          row: part.row + down.from,
          column: part.column + across.from,
          rows: down.size,
          columns: across.size,
        },
        { width: across.blocks, height: down.blocks },
      );
      for (let row = 0; row < down.blocks; row++) {
        const line = painted.subarray(row * across.blocks * 4, (row + 1) * across.blocks * 4);
        rgba.set(line, ((down.block + row) * width + across.block) * 4);
      }
    }
  }
  return rgba;
}

interface ImageWindow extends Cell {
  readonly rows: number;
  readonly columns: number;
}

/** A window of an image is an image of its own, whose numbers are read from where they stand in the whole. */
function paintWindow(
  image: ShownImage,
  window: ImageWindow,
  size: { readonly width: number; readonly height: number },
): Uint8ClampedArray {
  const { numbers, layout, scale } = image;
  const first = channelPlane(image, 0);
  const channels = countChannels(image.shape, layout);
  const isLast = layout.channels !== undefined && layout.channels > layout.columns;
  // Channels between or after the pixels: a line of the window lies in one piece in both.
  const lineLength = isLast ? window.columns * channels : window.columns;
  const start = first.offset + window.row * first.rowStride + window.column * first.columnStride;
  const channelStride = channelPlane(image, 1).offset - first.offset;
  const startOf = (line: number): number =>
    start + (line % window.rows) * first.rowStride + Math.floor(line / window.rows) * channelStride;
  const shape = isLast ? [window.rows, window.columns, channels] : [channels, window.rows, window.columns];
  const windowLayout: ImageLayout = isLast
    ? { ...layout, rows: 0, columns: 1, channels: 2 }
    : { ...layout, rows: 1, columns: 2, channels: 0 };
  const source = linesOf(numbers, lineLength, channels * window.rows, startOf);
  return imageOf(source, shape, { layout: windowLayout, at: [0, 0, 0], scale, size, detail: BLOCK_DETAIL })
    .rgba;
}

/** Lines of a source, one after another as if nothing lay between them. */
function linesOf(
  numbers: NumberSource,
  length: number,
  count: number,
  startOf: (line: number) => number,
): NumberSource {
  return {
    dtype: numbers.dtype,
    length: length * count,
    read(from, to, into) {
      for (let at = from; at < to;) {
        const line = Math.floor(at / length);
        const end = Math.min(to, (line + 1) * length);
        const start = startOf(line) + (at - line * length);
        numbers.read(start, start + end - at, into.subarray(at - from));
        at = end;
      }
    },
  };
}

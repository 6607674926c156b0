import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import {
  cutPlane,
  shrinkPlane,
  specialColour,
  type Cells,
  type Picture,
  type PictureSize,
  type Plane,
  type PlaneWindow,
  type ValueRange,
} from './heat-map.ts';
import { isUnit, type ImageLayout } from './image-layout.ts';
import type { NumberSource } from './numbers.ts';
import { stridesOf } from './tensor.ts';

/** An image of a tensor, and what was looked at for it. */
export interface TensorImage extends Picture, Pick<Cells, 'count' | 'looked'> {}

export interface ImageOptions {
  readonly layout: ImageLayout;
  /** The index on each axis of the tensor; those of the layout's axes are not used. */
  readonly at: readonly number[];
  /** The values that are black and white. */
  readonly scale: ValueRange;
  /** The part of the image that is read; all of it where it is left out. */
  readonly window?: PlaneWindow;
  /** The largest that the picture may be; a pixel for each element where it is left out. */
  readonly size?: PictureSize;
  /** In a smaller picture, at most so many lines of the elements behind a pixel are read. */
  readonly detail?: number;
}

/**
 * The values that are black and white: 0 and the largest of an unsigned integer of 8 or 16 bits and of a bool, 0 and 1
 * for floats between them, else the tensor's own least and greatest. So bytes are shown as they are.
 */
export function imageScale(dtype: DtypeName, range: ValueRange | undefined): ValueRange {
  if (dtype === 'uint8') return { min: 0, max: 255 };
  if (dtype === 'uint16') return { min: 0, max: 65_535 };
  if (dtype === 'bool' || !range) return { min: 0, max: 1 };
  return findDtype(dtype)?.kind === 'float' && isUnit(range) ? { min: 0, max: 1 } : range;
}

/**
 * Reads a tensor as an image. Values beyond the scale are black or white; a pixel with a value that is no finite number has
 * the colour that it has in a heat map. A pixel of a smaller picture is the mean of its elements.
 */
export function imageOf(
  source: NumberSource,
  shape: readonly number[],
  { layout, at, scale, window, size, detail = Infinity }: ImageOptions,
): TensorImage {
  const planes = channelPlanes(shape, layout, at).map(plane => (window ? cutPlane(plane, window) : plane));
  const [{ rows, columns } = { rows: 0, columns: 0 }] = planes;
  const most = size ?? { width: columns, height: rows };
  const channels = planes.map(plane => shrinkPlane(source, plane, most, detail));
  return {
    ...joinChannels(channels, scale),
    count: channels.reduce((sum, { count }) => sum + count, 0),
    looked: channels.reduce((sum, { looked }) => sum + looked, 0),
  };
}

/** The plane of each channel of an image. */
export function channelPlanes(
  shape: readonly number[],
  layout: ImageLayout,
  at: readonly number[],
): readonly Plane[] {
  const strides = stridesOf(shape);
  const { rows, columns, channels } = layout;
  const offset = strides.reduce(
    (sum, stride, axis) => ([rows, columns, channels].includes(axis) ? sum : sum + stride * (at[axis] ?? 0)),
    0,
  );
  const count = channels === undefined ? 1 : (shape[channels] ?? 1);
  return Array.from({ length: count }, (_, channel) => ({
    rows: shape[rows] ?? 1,
    columns: shape[columns] ?? 1,
    rowStride: strides[rows] ?? 1,
    columnStride: strides[columns] ?? 1,
    offset: offset + channel * (channels === undefined ? 0 : (strides[channels] ?? 1)),
  }));
}

/** One channel is grey, two are grey and alpha, three red, green and blue, four these and alpha. */
function joinChannels(channels: readonly Cells[], scale: ValueRange): Picture {
  const [{ rows, columns } = { rows: 0, columns: 0 }] = channels;
  const rgba = new Uint8ClampedArray(rows * columns * 4).fill(255);
  const isGrey = channels.length < 3;
  // Halves: the width of a range may be no finite number.
  const start = scale.min / 2;
  const width = scale.max / 2 - start;
  for (const [channel, { values }] of channels.entries()) {
    const isAlpha = channel === 3 || (isGrey && channel === 1);
    const place = isAlpha ? 3 : channel;
    for (let at = 0; at < values.length; at++) {
      const part = width > 0 ? (((values[at] ?? 0) / 2 - start) / width) * 255 : 0;
      rgba[at * 4 + place] = part;
      if (isGrey && !isAlpha) rgba.fill(part, at * 4, at * 4 + 3);
    }
  }
  markSpecial(rgba, channels);
  return { width: columns, height: rows, rgba };
}

function markSpecial(rgba: Uint8ClampedArray, channels: readonly Cells[]): void {
  for (const { values } of channels)
    for (let at = 0; at < values.length; at++) {
      const value = values[at] ?? 0;
      if (value - value !== 0) rgba.set([...specialColour(value), 255], at * 4);
    }
}

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

/** An image of a tensor, with the number of elements in total and of those that were read. */
export interface TensorImage extends Picture, Pick<Cells, 'count' | 'looked'> {}

export interface ImageOptions {
  readonly layout: ImageLayout;
  /** The index on each axis of the tensor; those of the layout's axes are ignored. */
  readonly at: readonly number[];
  /** The values of black and white. */
  readonly scale: ValueRange;
  /** The part of the image to read; all of it if absent. */
  readonly window?: PlaneWindow;
  /** The maximum size of the picture; one pixel for each element if absent. */
  readonly size?: PictureSize;
  /** The maximum number of lines of elements to read for each pixel of a smaller picture. */
  readonly detail?: number;
}

/**
 * The values of black and white: 0 and the maximum for uint8, uint16 and bool, 0 and 1 for floats in that
 * range, else the minimum and maximum of the tensor. Bytes are therefore shown unchanged.
 */
export function imageScale(dtype: DtypeName, range: ValueRange | undefined): ValueRange {
  if (dtype === 'uint8') return { min: 0, max: 255 };
  if (dtype === 'uint16') return { min: 0, max: 65_535 };
  if (dtype === 'bool' || !range) return { min: 0, max: 1 };
  return findDtype(dtype)?.kind === 'float' && isUnit(range) ? { min: 0, max: 1 } : range;
}

/**
 * Reads a tensor as an image. Values outside the scale are black or white; pixels that are not finite have
 * the same special colours as in a heat map. A pixel of a smaller picture is the mean of its elements.
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

/** Joins the channels to a picture: grey, grey and alpha, RGB, or RGB and alpha. */
function joinChannels(channels: readonly Cells[], scale: ValueRange): Picture {
  const [{ rows, columns } = { rows: 0, columns: 0 }] = channels;
  const rgba = new Uint8ClampedArray(rows * columns * 4).fill(255);
  const isGrey = channels.length < 3;
  // Computes with halves because the width of the range may overflow.
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

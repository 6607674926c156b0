import { findDtype } from '../core/catalog/dtypes.ts';
import { describeHeatMap, describeImage } from './describe-picture.ts';
import {
  paintCells,
  rangeOf,
  shrinkPlane,
  symmetricRange,
  type Picture,
  type PictureSize,
  type Plane,
  type ValueRange,
} from './heat-map.ts';
import { guessLayout, type ImageLayout } from './image-layout.ts';
import { imageOf, imageScale } from './image.ts';
import type { NumberSource } from './numbers.ts';
import { gatherStatistics } from './statistics.ts';
import { stridesOf } from './tensor.ts';

/** A small picture of a tensor. */
export interface Thumbnail extends Picture {
  /** A description of the picture, without a full stop. */
  readonly words: string;
}

/** The number of elements that are sampled to determine whether floats are colour components. */
const MAX_GUESSED = 4_096;

/** The maximum number of lines of elements that are read for each pixel. */
const DETAIL = 2;

/** The maximum size in pixels to which an element is enlarged, and the minimum width and height of a heat map. */
const LARGEST_CELL = 16;

/**
 * A picture of a tensor for a hover: an image if the tensor looks like one, else a heat map of its last two axes, at
 * index 0 of all others. Of a large tensor only the lines that the pixels need are read. Undefined for an empty tensor.
 */
export function thumbnail(
  source: NumberSource,
  shape: readonly number[],
  most: PictureSize,
): Thumbnail | undefined {
  if (source.length === 0) return undefined;
  const layout = guessLayout(shape, source.dtype, guessRange(source, shape));
  return layout ? imageThumbnail(source, shape, layout, most) : heatMapThumbnail(source, shape, most);
}

/** The range of a sample of floats if the shape may be that of an image. */
function guessRange(source: NumberSource, shape: readonly number[]): ValueRange | undefined {
  const mayBeImage = guessLayout(shape, source.dtype, { min: 0, max: 1 }) !== undefined;
  if (!mayBeImage || findDtype(source.dtype)?.kind !== 'float') return undefined;
  const { min, max } = gatherStatistics(source, MAX_GUESSED);
  return min === undefined || max === undefined ? undefined : { min, max };
}

function imageThumbnail(
  source: NumberSource,
  shape: readonly number[],
  layout: ImageLayout,
  most: PictureSize,
): Thumbnail {
  const [rows, columns] = [shape[layout.rows] ?? 1, shape[layout.columns] ?? 1];
  const scale = imageScale(source.dtype, { min: 0, max: 1 });
  const size = fitSize({ rows, columns }, most);
  const at = shape.map(() => 0);
  const image = imageOf(source, shape, { layout, at, scale, size, detail: DETAIL });
  const words = `${describeImage({ rows, columns }, layout, scale)}${wordsOfOthers(shape, [layout.rows, layout.columns, layout.channels])}`;
  return { ...enlarge(image, size), words };
}

function heatMapThumbnail(source: NumberSource, shape: readonly number[], most: PictureSize): Thumbnail {
  const plane = lastPlane(shape);
  const fit = fitSize(plane, most);
  const size = {
    width: Math.max(fit.width, Math.min(most.width, LARGEST_CELL)),
    height: Math.max(fit.height, Math.min(most.height, LARGEST_CELL)),
  };
  const cells = shrinkPlane(source, plane, size, DETAIL);
  const own = rangeOf(cells) ?? { min: 0, max: 0 };
  const hasBothSigns = own.min < 0 && own.max > 0;
  const range = hasBothSigns ? symmetricRange(own) : own;
  const colourMap = hasBothSigns ? 'diverging' : 'cool';
  const words = describeHeatMap({ rows: plane.rows, columns: plane.columns, range, colourMap, cells });
  const rank = shape.length;
  return {
    ...paintCells(cells, size, range, colourMap),
    words: `${words}${wordsOfOthers(shape, [rank - 1, rank - 2])}`,
  };
}

/** The plane of the last two axes at index 0 of all others; a single axis is a row. */
function lastPlane(shape: readonly number[]): Plane {
  const strides = stridesOf(shape);
  return {
    rows: shape.at(-2) ?? 1,
    columns: shape.at(-1) ?? 1,
    rowStride: strides.at(-2) ?? 0,
    columnStride: strides.at(-1) ?? 0,
    offset: 0,
  };
}

/** The position on the axes that are not visible: `; at [0, :, :]`. */
function wordsOfOthers(shape: readonly number[], seen: readonly (number | undefined)[]): string {
  if (shape.every((size, axis) => size === 1 || seen.includes(axis))) return '';
  return `; at [${shape.map((_, axis) => (seen.includes(axis) ? ':' : '0')).join(', ')}]`;
}

/**
 * The largest size that fits in a frame with the same aspect
 * ratio; elements become whole pixels if there is enough space.
 */
function fitSize(
  { rows, columns }: { readonly rows: number; readonly columns: number },
  most: PictureSize,
): PictureSize {
  const room = Math.min(most.width / columns, most.height / rows);
  const factor = room < 1 ? room : Math.min(LARGEST_CELL, Math.floor(room));
  return {
    width: Math.max(1, Math.round(columns * factor)),
    height: Math.max(1, Math.round(rows * factor)),
  };
}

/** Enlarges a picture; each pixel becomes a rectangle. */
function enlarge(picture: Picture, { width, height }: PictureSize): Picture {
  const pixels = new Uint32Array(
    picture.rgba.buffer,
    picture.rgba.byteOffset,
    picture.width * picture.height,
  );
  const large = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * picture.height) / height) * picture.width;
    for (let x = 0; x < width; x++)
      large[y * width + x] = pixels[row + Math.floor((x * picture.width) / width)] ?? 0;
  }
  return { width, height, rgba: new Uint8ClampedArray(large.buffer) };
}

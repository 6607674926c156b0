import type { ValueRange } from '../../../../tensor/heat-map.ts';
import type { ImageLayout } from '../../../../tensor/image-layout.ts';
import { channelPlanes, imageOf } from '../../../../tensor/image.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { placeOf } from '../../../../tensor/tensor.ts';
import { indexAt, type Cell, type Slicing } from '../axes.ts';
import { BLOCK_DETAIL } from './picture-paint.ts';
import type { Picture } from './picture-stage.ts';
import { ACTUAL_SIZE } from './picture-viewport.ts';

/** Images smaller than this are enlarged at first. */
const LEAST_ACTUAL = 64;

/** A tensor displayed as an image. */
export interface ShownImage {
  readonly numbers: NumberSource;
  readonly shape: readonly number[];
  readonly layout: ImageLayout;
  /** The index on each axis. The indices of the layout's axes are not used. */
  readonly at: readonly number[];
  /** The values shown as black and white. */
  readonly scale: ValueRange;
}

/**
 * The indices of the shown image, from the slicing. For an axis that the slicing shows as rows or columns,
 * the index is that of the selected element.
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

/** The pixel and channel of an element; undefined if the element belongs to another image. */
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

/** An image as a picture. `textOf` returns the text of an element by its index. */
export function imagePicture(image: ShownImage, textOf: (index: number) => string): Picture {
  const { layout, shape } = image;
  const [rows, columns] = [shape[layout.rows] ?? 0, shape[layout.columns] ?? 0];
  return {
    size: { rows, columns, least: 1 },
    hasAlpha: layout.colours.endsWith('alpha'),
    zoom: Math.max(rows, columns) < LEAST_ACTUAL ? undefined : ACTUAL_SIZE,
    paint: (window, size) =>
      imageOf(image.numbers, image.shape, { ...image, window, size, detail: BLOCK_DETAIL }).rgba,
    label: cell => channelIndices(image, cell).map(textOf).join(' '),
  };
}

/** The indices of a pixel's elements, one per channel. */
export function channelIndices({ shape, layout, at }: ShownImage, cell: Cell): readonly number[] {
  return channelPlanes(shape, layout, at).map(plane => indexAt(plane, cell));
}

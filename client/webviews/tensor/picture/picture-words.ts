import type { ColourMapName } from '../../../../tensor/colour-maps.ts';
import { describeHeatMap, describeImage } from '../../../../tensor/describe-picture.ts';
import type { Cells, ValueRange, Plane } from '../../../../tensor/heat-map.ts';
import { showCount } from '../../../../core/text/count.ts';
import type { Slicing } from '../axes.ts';
import type { ShownImage } from './picture-image.ts';
import { BLOCK_DETAIL } from './picture-paint.ts';
import type { Block } from './picture-viewport.ts';

/** The input of the description of a heat map. The description has no final period, because the zoom is appended. */
export interface ShownHeat {
  readonly shape: readonly number[];
  readonly plane: Plane;
  readonly slicing: Slicing;
  readonly range: ValueRange;
  readonly colourMap: ColourMapName;
}

/** The number of pixels changes with the zoom, so this description does not mention blocks. */
const NO_CELLS: Cells = { rows: 0, columns: 0, values: new Float64Array(0), count: 0, looked: 0 };

/** Describes a heat map: `Heat map of 128 rows and 256 columns; −1.2 to 3.4, blue to yellow; at [0, :, :]`. */
export function describeHeat({ shape, plane, slicing, range, colourMap }: ShownHeat): string {
  const { rows, columns } = plane;
  const words = describeHeatMap({ rows, columns, range, colourMap, cells: NO_CELLS });
  return words + describePlace(shape, slicing.at, [slicing.rows, slicing.columns]);
}

/** Describes an image: `Image of 224 × 224 pixels, RGB (HWC); black is 0, white is 255; at [3, :, :, :]`. */
export function describeShownImage(image: ShownImage): string {
  const { shape, layout, at, scale } = image;
  const seen = [layout.rows, layout.columns, layout.channels];
  const size = { rows: shape[layout.rows] ?? 0, columns: shape[layout.columns] ?? 0 };
  return describeImage(size, layout, scale) + describePlace(shape, at, seen);
}

/** The indices on the hidden axes; empty if those have only one index. */
function describePlace(
  shape: readonly number[],
  at: readonly number[],
  seen: readonly (number | undefined)[],
): string {
  if (shape.every((size, axis) => size === 1 || seen.includes(axis))) return '';
  return `; at [${at.map((along, axis) => (seen.includes(axis) ? ':' : along)).join(', ')}]`;
}

/** The number of elements per pixel if more than one: `; each pixel is the mean of 7 × 7 elements`. */
export function describeShrunk({ rows, columns }: Block): string {
  if (rows * columns === 1) return '';
  const sample = Math.max(rows, columns) > BLOCK_DETAIL ? 'a sample of ' : '';
  return `; each pixel is the mean of ${sample}${showCount(rows)} × ${showCount(columns)} elements`;
}

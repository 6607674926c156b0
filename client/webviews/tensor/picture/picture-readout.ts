import type { Plane } from '../../../../tensor/heat-map.ts';
import { placeOf, type Tensor } from '../../../../tensor/tensor.ts';
import { showCount } from '../../../../core/text/count.ts';
import { indexAt, type Cell } from '../axes.ts';
import { channelIndices, type ShownImage } from './picture-image.ts';
import type { Spot } from './picture-viewport.ts';
import { exactText } from '../value-line.ts';

/** The indices and exact value of a cell: `[7, 31] 0.1234`. */
export function readCell(tensor: Tensor, plane: Plane, cell: Cell): string {
  const index = indexAt(plane, cell);
  return `[${placeOf(tensor.shape, index).join(', ')}] ${exactText(tensor, index)}`;
}

/** The indices and exact values of a pixel, channel by channel: `[7, 31, :] (12, 255, 0)`. */
export function readPixel(tensor: Tensor, image: ShownImage, cell: Cell): string {
  const indices = channelIndices(image, cell);
  const { channels } = image.layout;
  const place = placeOf(tensor.shape, indices[0] ?? 0).map((at, axis) => (axis === channels ? ':' : at));
  const values = indices.map(index => exactText(tensor, index)).join(', ');
  return `[${place.join(', ')}] ${channels === undefined ? values : `(${values})`}`;
}

/** A suffix for a pixel that shows several cells: `, the first of 7 × 7 in this pixel`. */
export function describeBlock({ rows, columns }: Spot): string {
  if (rows * columns === 1) return '';
  return `, the first of ${showCount(rows)} × ${showCount(columns)} in this pixel`;
}

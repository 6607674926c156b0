import type { Plane } from '../../../tensor/heat-map.ts';
import { readElement, showElement } from '../../../tensor/elements.ts';
import { elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { indexAt } from './axes.ts';
import { countCells, type Rectangle } from './grid-range.ts';

/** Values that are copied at once: a clipboard, and what it is pasted into, take no more well. */
const MOST_COPIED = 1_000_000;
/** Why a selection is not copied, or undefined for one that is. */
export function copyProblem(rectangle: Rectangle, most = MOST_COPIED): string | undefined {
  const count = countCells(rectangle);
  return count <= most
    ? undefined
    : `${countOf(count, 'value')} are selected, and at most ${showCount(most)} can be copied. Export the selection instead.`;
}

/** The values of a rectangle as text, exact: tabs between columns, a line for each row. Yields how much is done. */
export function* copyCells(tensor: Tensor, plane: Plane, rectangle: Rectangle): Generator<number, string> {
  const { top, left, bottom, right } = rectangle;
  const lines: string[] = [];
  const count = countCells(rectangle);
  let done = 0;
  for (let row = top; row < bottom; row++) {
    const texts: string[] = [];
    for (let column = left; column < right; column++) {
      const element = readElement(tensor, indexAt(plane, { row, column }));
      texts.push(showElement(tensor.dtype, element));
      // A value may take some microseconds.
      if (++done % 128 === 0) yield done / count;
    }
    lines.push(texts.join('\t'));
  }
  return lines.join('\n');
}

/** The rectangle as a tensor of its own, as it is seen: rows and columns, without those that are one by nature. */
export function cutRectangle(tensor: Tensor, plane: Plane, { top, left, bottom, right }: Rectangle): Tensor {
  const size = elementSize(tensor.dtype);
  const rows = bottom - top;
  const columns = right - left;
  const bytes = new Uint8Array(rows * columns * size);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = indexAt(plane, { row: top + row, column: left + column }) * size;
      bytes.set(tensor.bytes.subarray(from, from + size), (row * columns + column) * size);
    }
  }
  const shape = [...(plane.rowStride === 0 ? [] : [rows]), ...(plane.columnStride === 0 ? [] : [columns])];
  return { dtype: tensor.dtype, shape, bytes };
}

import type { Plane } from '../../../../tensor/heat-map.ts';
import { readElement, showElement } from '../../../../tensor/elements.ts';
import { elementSize, type Tensor } from '../../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import { indexAt } from '../axes.ts';
import { countCells, type Rectangle } from './grid-range.ts';

/** The maximum number of values to copy, because clipboards and paste targets handle no more well. */
const MAX_COPIED = 1_000_000;
/** The reason why a selection cannot be copied; undefined if it can. */
export function copyProblem(rectangle: Rectangle, most = MAX_COPIED): string | undefined {
  const count = countCells(rectangle);
  return count <= most
    ? undefined
    : `${countOf(count, 'value')} are selected, and at most ${showCount(most)} can be copied. Export the selection instead.`;
}

/** The exact values of a rectangle as text: tabs between columns, one line per row. Yields the completed share. */
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
      // A value may take some microseconds, so this yields often.
      if (++done % 128 === 0) yield done / count;
    }
    lines.push(texts.join('\t'));
  }
  return lines.join('\n');
}

/** Cuts a rectangle out of a plane as a tensor. An axis that the plane does not show is left out of the shape. */
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

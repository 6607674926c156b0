import type { Plane } from '../../../tensor/heat-map.ts';
import { placeOf, stridesOf } from '../../../tensor/tensor.ts';

/** Which axes of a tensor are seen at once, and where the others stand. */
export interface Slicing {
  /** The axis that goes down; undefined where no axis does: then there is one row. */
  readonly rows: number | undefined;
  /** The axis that goes across; undefined where no axis does: then there is one column. */
  readonly columns: number | undefined;
  /** The index on each axis of the tensor; those of the two seen are not used. */
  readonly at: readonly number[];
}

/** The place of a cell in a plane. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The slicing a tensor is first shown with: its last two axes, the only axis as rows, and the start of all others. */
export function firstSlicing(shape: readonly number[]): Slicing {
  const last = shape.length - 1;
  return {
    rows: shape.length === 0 ? undefined : Math.max(0, last - 1),
    columns: shape.length < 2 ? undefined : last,
    at: shape.map(() => 0),
  };
}

/** A slicing carried over to a shape that it may not fit: what does not fit any more begins anew. */
export function fitSlicing(slicing: Slicing, shape: readonly number[]): Slicing {
  const isAxis = (axis: number | undefined): boolean =>
    axis === undefined || (Number.isInteger(axis) && axis >= 0 && axis < shape.length);
  const isWhole =
    slicing.at.length === shape.length &&
    isAxis(slicing.rows) &&
    isAxis(slicing.columns) &&
    (slicing.rows === undefined || slicing.rows !== slicing.columns) &&
    (shape.length === 0 || slicing.rows !== undefined || slicing.columns !== undefined);
  if (!isWhole) return firstSlicing(shape);
  const at = slicing.at.map((index, axis) => clampIndex(index, shape[axis] ?? 0));
  return { rows: slicing.rows, columns: slicing.columns, at };
}

/** Chooses the axis of the rows or of the columns. An axis that the other has is exchanged with it. */
export function chooseAxis(slicing: Slicing, side: 'rows' | 'columns', axis: number | undefined): Slicing {
  const other = side === 'rows' ? 'columns' : 'rows';
  const displaced = slicing[other] === axis ? slicing[side] : slicing[other];
  return { ...slicing, [other]: displaced, [side]: axis };
}

/** Moves along one of the axes that are not seen. */
export function moveAlong(slicing: Slicing, axis: number, index: number): Slicing {
  return { ...slicing, at: slicing.at.map((was, other) => (other === axis ? index : was)) };
}

/** The plane that a slicing shows. Empty where the tensor is. */
export function planeOf(shape: readonly number[], slicing: Slicing): Plane {
  const strides = stridesOf(shape);
  const isEmpty = shape.includes(0);
  const sizeOf = (axis: number | undefined): number => (axis === undefined ? 1 : (shape[axis] ?? 1));
  const strideOf = (axis: number | undefined): number => (axis === undefined ? 0 : (strides[axis] ?? 0));
  const offset = strides.reduce((sum, stride, axis) => {
    const isSeen = axis === slicing.rows || axis === slicing.columns;
    return isSeen ? sum : sum + stride * (slicing.at[axis] ?? 0);
  }, 0);
  return {
    rows: isEmpty ? 0 : sizeOf(slicing.rows),
    columns: isEmpty ? 0 : sizeOf(slicing.columns),
    rowStride: strideOf(slicing.rows),
    columnStride: strideOf(slicing.columns),
    offset,
  };
}

/** The element of a cell, by its index in row-major order. */
export function indexAt(plane: Plane, { row, column }: Cell): number {
  return plane.offset + row * plane.rowStride + column * plane.columnStride;
}

/** The cell of an element in the plane of a slicing that holds it. */
export function cellOf(shape: readonly number[], slicing: Slicing, index: number): Cell {
  const place = placeOf(shape, index);
  const along = (axis: number | undefined): number => (axis === undefined ? 0 : (place[axis] ?? 0));
  return { row: along(slicing.rows), column: along(slicing.columns) };
}

/** The slicing, moved along the axes that are not seen until its plane holds an element. The same object where it does. */
export function sliceTo(shape: readonly number[], slicing: Slicing, index: number): Slicing {
  const place = placeOf(shape, index);
  const isHeld = place.every(
    (at, axis) => axis === slicing.rows || axis === slicing.columns || at === slicing.at[axis],
  );
  return isHeld ? slicing : { ...slicing, at: place };
}

function clampIndex(index: number, size: number): number {
  return Number.isInteger(index) ? Math.max(0, Math.min(size - 1, index)) : 0;
}

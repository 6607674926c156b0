import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { guessLayout } from '../../../tensor/image-layout.ts';
import type { Plane } from '../../../tensor/heat-map.ts';
import { placeOf, stridesOf } from '../../../tensor/tensor.ts';

/** The visible axes of a tensor, and the index on each other axis. */
export interface Slicing {
  /** The vertical axis; undefined shows a single row. */
  readonly rows: number | undefined;
  /** The horizontal axis; undefined shows a single column. */
  readonly columns: number | undefined;
  /** The index on each axis of the tensor. The indices of visible axes are not used. */
  readonly at: readonly number[];
}

/** A cell of a plane. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/**
 * The initial slicing: height and width of what is likely an image, else the last two axes, or the only axis as
 * rows, and index 0 on all others.
 */
export function firstSlicing(shape: readonly number[], dtype?: DtypeName): Slicing {
  const image = dtype && guessLayout(shape, dtype);
  const last = shape.length - 1;
  return {
    rows: image ? image.rows : shape.length === 0 ? undefined : Math.max(0, last - 1),
    columns: image ? image.columns : shape.length < 2 ? undefined : last,
    at: shape.map(() => 0),
  };
}

/** Adapts a slicing to another shape. Returns the initial slicing if the axes do not fit; indices are clamped. */
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

/** Chooses the axis of rows or columns. If the other side shows it, the two are exchanged. */
export function chooseAxis(slicing: Slicing, side: 'rows' | 'columns', axis: number | undefined): Slicing {
  const other = side === 'rows' ? 'columns' : 'rows';
  const displaced = slicing[other] === axis ? slicing[side] : slicing[other];
  return { ...slicing, [other]: displaced, [side]: axis };
}

/** Sets the index on an axis that is not visible. */
export function moveAlong(slicing: Slicing, axis: number, index: number): Slicing {
  return { ...slicing, at: slicing.at.map((was, other) => (other === axis ? index : was)) };
}

/** The plane that a slicing shows. It is empty if the tensor is. */
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

/** The index of a cell's element in row-major order. */
export function indexAt(plane: Plane, { row, column }: Cell): number {
  return plane.offset + row * plane.rowStride + column * plane.columnStride;
}

/** The cell of an element in a plane that contains it. */
export function cellOf(shape: readonly number[], slicing: Slicing, index: number): Cell {
  const place = placeOf(shape, index);
  const along = (axis: number | undefined): number => (axis === undefined ? 0 : (place[axis] ?? 0));
  return { row: along(slicing.rows), column: along(slicing.columns) };
}

/**
 * Moves the slicing along the hidden axes until its plane contains an element. Returns the same object if it
 * already does.
 */
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

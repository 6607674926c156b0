import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';

/**
 * An array. `bytes` contains its elements little-endian and row-major,
 * `shape` the sizes of its axes from the outermost inwards.
 */
export interface Tensor {
  readonly dtype: DtypeName;
  /** Empty for a single value. */
  readonly shape: readonly number[];
  /** Must have the length that data type and shape require. */
  readonly bytes: Uint8Array;
}

/** A tensor, or a sentence that explains why there is none. */
export type TensorResult =
  | { readonly kind: 'ok'; readonly tensor: Tensor }
  | { readonly kind: 'fault'; readonly problem: string };

/** The number of elements of a shape, exact up to 2^53; 0 if any dimension is 0. */
export function countElements(shape: readonly number[]): number {
  return shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1);
}

/** The size of one element in bytes. */
export function elementSize(dtype: DtypeName): number {
  return findDtype(dtype)?.bytes ?? 1;
}

/** The index distance between neighbours on each axis: `[12, 4, 1]` for the shape `[2, 3, 4]`. */
export function stridesOf(shape: readonly number[]): readonly number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1);
  return strides;
}

/** The indices on each axis of an element, given its row-major index: `[1, 0, 3]`. */
export function placeOf(shape: readonly number[], index: number): readonly number[] {
  let rest = index;
  return stridesOf(shape).map(stride => {
    const at = Math.floor(rest / stride);
    rest -= at * stride;
    return at;
  });
}

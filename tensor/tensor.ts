import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';

/** An array: `bytes` holds its elements little-endian and row-major, `shape` the sizes of its axes from the outermost in. */
export interface Tensor {
  readonly dtype: DtypeName;
  /** Empty for a single value. */
  readonly shape: readonly number[];
  /** As many bytes as data type and shape want. */
  readonly bytes: Uint8Array;
}

/** A tensor, or a sentence that says why there is none. */
export type TensorResult =
  { readonly kind: 'ok'; readonly tensor: Tensor } | { readonly kind: 'fault'; readonly problem: string };

/** The elements of a shape, exact up to 2^53; a dimension of 0 makes it 0, however large the others are. */
export function countElements(shape: readonly number[]): number {
  return shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1);
}

/** The bytes of one element. */
export function elementSize(dtype: DtypeName): number {
  return findDtype(dtype)?.bytes ?? 1;
}

/** How many elements lie between neighbours of each axis: `[12, 4, 1]` for the shape `[2, 3, 4]`. */
export function stridesOf(shape: readonly number[]): readonly number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (shape[axis + 1] ?? 1);
  return strides;
}

/** The place of an element by its index in row-major order: `[1, 0, 3]`. */
export function placeOf(shape: readonly number[], index: number): readonly number[] {
  let rest = index;
  return stridesOf(shape).map(stride => {
    const at = Math.floor(rest / stride);
    rest -= at * stride;
    return at;
  });
}

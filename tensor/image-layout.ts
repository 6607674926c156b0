import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import type { ValueRange } from './heat-map.ts';

/**
 * How a tensor is interpreted as an image: the axes of its rows, columns and channels, from 0. The indices on
 * all other axes select one of several images.
 */
export interface ImageLayout {
  /** The order of the axes: height, width, channels. */
  readonly name: 'HWC' | 'CHW' | 'HW';
  readonly rows: number;
  readonly columns: number;
  /** Undefined for a grey image without a channel axis. */
  readonly channels: number | undefined;
  readonly colours: Colours;
}

/** The meaning of 1, 2, 3 or 4 channels. */
export type Colours = 'grey' | 'grey and alpha' | 'RGB' | 'RGB and alpha';

const COLOURS: Readonly<Record<number, Colours>> = {
  1: 'grey',
  2: 'grey and alpha',
  3: 'RGB',
  4: 'RGB and alpha',
};

/** The minimum height and width of an image; smaller tensors are more likely tables. */
const SMALLEST_SIDE = 8;

/**
 * The possible image layouts of a shape: channels last, channels first, and grey from the last two axes. None
 * for fewer than two axes, empty tensors and complex numbers.
 */
export function listLayouts(shape: readonly number[], dtype: DtypeName): readonly ImageLayout[] {
  const rank = shape.length;
  if (rank < 2 || shape.includes(0) || findDtype(dtype)?.kind === 'complex') return [];
  const layouts: ImageLayout[] = [];
  const last = COLOURS[shape[rank - 1] ?? 0];
  const first = COLOURS[shape[rank - 3] ?? 0];
  if (rank > 2 && last)
    layouts.push({ name: 'HWC', rows: rank - 3, columns: rank - 2, channels: rank - 1, colours: last });
  if (rank > 2 && first)
    layouts.push({ name: 'CHW', rows: rank - 2, columns: rank - 1, channels: rank - 3, colours: first });
  layouts.push({ name: 'HW', rows: rank - 2, columns: rank - 1, channels: undefined, colours: 'grey' });
  return layouts;
}

/**
 * The layout of a tensor that is likely an image: uint8, or floats with a known range within 0 to 1, at least
 * 8 high and wide. Excluded are floats without a channel axis (likely a matrix), two channels, and four
 * channels first (likely four images).
 */
export function guessLayout(
  shape: readonly number[],
  dtype: DtypeName,
  range?: ValueRange,
): ImageLayout | undefined {
  const isFloat = findDtype(dtype)?.kind === 'float';
  if (dtype !== 'uint8' && !(isFloat && range && isUnit(range))) return undefined;
  return listLayouts(shape, dtype).find(
    ({ name, rows, columns, channels, colours }) =>
      Math.min(shape[rows] ?? 0, shape[columns] ?? 0) >= SMALLEST_SIDE &&
      colours !== 'grey and alpha' &&
      !(name === 'CHW' && colours === 'RGB and alpha') &&
      (channels !== undefined || dtype === 'uint8'),
  );
}

/** True if all values are from 0 to 1, as colour components often are. */
export function isUnit({ min, max }: ValueRange): boolean {
  return min >= 0 && max <= 1;
}

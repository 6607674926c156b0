import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import type { ValueRange } from './heat-map.ts';

/**
 * How a tensor is read as an image: which axes are its rows, columns and channels, by their numbers from 0. The index on
 * every other axis chooses one of several images.
 */
export interface ImageLayout {
  /** In the field's letters: height, width, channels. */
  readonly name: 'HWC' | 'CHW' | 'HW';
  readonly rows: number;
  readonly columns: number;
  /** Undefined for a grey image without an axis for it. */
  readonly channels: number | undefined;
  readonly colours: Colours;
}

/** What the channels are, from their count: 1, 2, 3, 4. */
export type Colours = 'grey' | 'grey and alpha' | 'RGB' | 'RGB and alpha';

const COLOURS: Readonly<Record<number, Colours>> = {
  1: 'grey',
  2: 'grey and alpha',
  3: 'RGB',
  4: 'RGB and alpha',
};

/** What is narrower or lower is rather a table than an image. */
const SMALLEST_SIDE = 8;

/**
 * The ways in which a shape can be read as an image: channels last, channels first, and grey from the last two axes.
 * None for fewer than two axes, for an empty tensor and for complex numbers.
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
 * The layout of a tensor that looks like an image: bytes, or floats in a known range from 0 to 1, at least 8 high and
 * wide. No guess is a float without a channel axis, which rather is a matrix, two channels, and four channels first,
 * which rather are four images.
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

/** Whether values are shares, as the parts of a colour often are. */
export function isUnit({ min, max }: ValueRange): boolean {
  return min >= 0 && max <= 1;
}

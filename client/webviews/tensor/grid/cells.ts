import type { DtypeName } from '../../../../core/catalog/dtypes.ts';
import {
  ELEMENTS,
  showElement,
  viewOf,
  type Element,
  type ElementCodec,
} from '../../../../tensor/elements.ts';
import { elementSize, type Tensor } from '../../../../tensor/tensor.ts';

/** How grid cells show floats: with four decimals, or exactly, so that they parse to the same bits. */
export const CELL_STYLES = ['short', 'exact'] as const;
export type CellStyle = (typeof CELL_STYLES)[number];

/** The text of a cell. NaN and infinities have their own look. */
export interface CellText {
  readonly text: string;
  readonly look: 'number' | 'nan' | 'inf';
}

const DECIMALS = 4;
/** Floats outside of this range are written with an exponent, because four decimals would be too few or too many. */
const LEAST_PLAIN = 1e-3;
const MAX_PLAIN = 1e5;
/** The minus sign of displayed numbers. Exact texts keep the hyphen, which programs can parse. */
const MINUS = '−';

/** The length of the longest value of each type in characters: short and exact. */
const WIDTHS = {
  bool: [5, 5],
  int8: [4, 4],
  int16: [6, 6],
  int32: [11, 11],
  int64: [20, 20],
  uint8: [4, 4],
  uint16: [5, 5],
  uint32: [10, 10],
  uint64: [20, 20],
  float16: [11, 12],
  bfloat16: [11, 12],
  float32: [11, 16],
  float64: [12, 24],
  float8_e4m3fn: [10, 12],
  float8_e5m2: [11, 12],
  complex64: [23, 33],
  complex128: [25, 49],
} as const satisfies Readonly<Record<DtypeName, readonly [number, number]>>;

/** True for types whose values differ between the styles. */
export function hasStyles(dtype: DtypeName): boolean {
  return /^(b?float|complex)/.test(dtype);
}

/** One blank on each side of the longest value of a column. */
const GAP = 2;

/** Right-aligns a text in a column of this width in characters. A longer text is cut and ends with `…`. */
export function fitColumn(text: string, width: number): string {
  const room = width - GAP;
  const fitted = text.length > room ? `${text.slice(0, room - 1)}…` : text;
  return `${fitted.padStart(room + 1)} `;
}

/** The width of a column in characters: space for the values of a type and for the number of the last column. */
export function columnWidth(dtype: DtypeName, style: CellStyle, columns: number): number {
  const digits = String(Math.max(0, columns - 1)).length;
  return Math.max(WIDTHS[dtype][style === 'short' ? 0 : 1], digits) + GAP;
}

/** Returns a function that reads the cell of an element by its index in row-major order. */
export function cellReader(tensor: Tensor, style: CellStyle): (index: number) => CellText {
  const view = viewOf(tensor);
  const codec: ElementCodec = ELEMENTS[tensor.dtype];
  const size = elementSize(tensor.dtype);
  const isFloat = hasStyles(tensor.dtype);
  return index => {
    const value = codec.read(view, index * size);
    const text = style === 'exact' ? showElement(tensor.dtype, value) : shortText(value, { isFloat });
    return { text, look: lookOf(value) };
  };
}

function lookOf(value: Element): CellText['look'] {
  if (typeof value === 'object') {
    const parts = [lookOf(value.re), lookOf(value.im)];
    return parts.find(look => look === 'nan') ?? parts.find(look => look === 'inf') ?? 'number';
  }
  if (typeof value !== 'number' || Number.isFinite(value)) return 'number';
  return Number.isNaN(value) ? 'nan' : 'inf';
}

function shortText(value: Element, type: { readonly isFloat: boolean }): string {
  if (typeof value === 'object') {
    const im = shortFloat(value.im);
    return `${shortFloat(value.re)}${im.startsWith(MINUS) ? '' : '+'}${im}i`;
  }
  return typeof value === 'number' && type.isFloat ? shortFloat(value) : String(value).replace('-', MINUS);
}

/** A float with four decimals. Only exact zero is written `0`. */
function shortFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : `${MINUS}Inf`;
  if (value === 0) return Object.is(value, -0) ? `${MINUS}0` : '0';
  const magnitude = Math.abs(value);
  const isPlain = magnitude >= LEAST_PLAIN && magnitude < MAX_PLAIN;
  return (isPlain ? value.toFixed(DECIMALS) : value.toExponential(DECIMALS)).replaceAll('-', MINUS);
}

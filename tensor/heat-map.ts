import { COLOUR_STEPS, colourTable, SPECIAL_COLOURS, type ColourMapName, type Rgb } from './colour-maps.ts';
import type { NumberSource } from './numbers.ts';
import type { Run } from './runs.ts';

/**
 * A plane through a tensor. The element at a row and a column has
 * the index `offset + row * rowStride + column * columnStride`.
 */
export interface Plane {
  readonly rows: number;
  readonly columns: number;
  readonly rowStride: number;
  readonly columnStride: number;
  readonly offset: number;
}

/** A rectangle of a plane: its first row and column, and their numbers. */
export interface PlaneWindow {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** The plane of a rectangle of a plane. */
export function cutPlane(plane: Plane, { row, column, rows, columns }: PlaneWindow): Plane {
  const offset = plane.offset + row * plane.rowStride + column * plane.columnStride;
  return { ...plane, rows, columns, offset };
}

/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The values at the two ends of a colour map. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** A plane reduced to the size of a picture. */
export interface Cells {
  /** At most the number of rows and columns of the plane and of the picture. */
  readonly rows: number;
  readonly columns: number;
  /**
   * Row-major means of the elements of each block. A block with NaN or infinities of both signs is NaN, a
   * block with an infinity is infinite, so that these values remain visible.
   */
  readonly values: Float64Array;
  /** The number of elements of the plane. */
  readonly count: number;
  /** The number of elements that were read: fewer if blocks were sampled. */
  readonly looked: number;
}

/** A picture: red, green, blue and alpha bytes of each pixel in row-major order. */
export interface Picture extends PictureSize {
  readonly rgba: Uint8ClampedArray;
}

/**
 * Reduces a plane to at most the size of a picture by averaging blocks of elements. With `detail`, at most
 * this number of lines of each block is read, and only a part of each block from very long lines.
 */
export function shrinkPlane(
  source: NumberSource,
  plane: Plane,
  { width, height }: PictureSize,
  detail = Infinity,
): Cells {
  const { rows, columns } = plane;
  const cells = { rows: Math.min(rows, Math.floor(height)), columns: Math.min(columns, Math.floor(width)) };
  const down = { size: rows, cells: cells.rows, stride: plane.rowStride, cellStride: cells.columns };
  const across = { size: columns, cells: cells.columns, stride: plane.columnStride, cellStride: 1 };
  // Reads along the axis whose elements are adjacent, rows or columns.
  const isAcross = columns > 1 && (rows <= 1 || plane.columnStride <= plane.rowStride);
  const [outer, inner] = isAcross ? [down, across] : [across, down];
  const sums = new BlockSums(cells.rows * cells.columns);
  const runs = [...innerRuns(inner, detail)];
  const reader = new LineReader(source, readAhead(outer, inner, runs.length, detail));
  for (const { at, cell } of linesOf(outer, detail)) {
    for (const { from, to } of runs) {
      const numbers = reader.read(
        plane.offset + at * outer.stride + from * inner.stride,
        inner.stride,
        to - from,
      );
      sums.add(numbers, { from, to }, inner, cell * outer.cellStride);
    }
  }
  return { ...cells, values: sums.means(), count: rows * columns, looked: sums.looked };
}

/** The maximum number of elements of a line that are read at once. */
const LONGEST_READ = 8_192;

/**
 * The maximum stride at which elements are read together with
 * those between them; beyond it, they are read one by one.
 */
const NEAR = 16;

/** An axis of a plane and its division into cells. */
interface Axis {
  /** The number of elements. */
  readonly size: number;
  /** The number of cells; at most the number of elements. */
  readonly cells: number;
  /** The distance between elements in the source. */
  readonly stride: number;
  /** The distance between cells in the values. */
  readonly cellStride: number;
}

/** The number of elements of complete lines to read at once; 0 if lines are long, not adjacent, or only sampled. */
function readAhead(outer: Axis, inner: Axis, runs: number, detail: number): number {
  const isDense = outer.size > 1 && outer.stride <= inner.size * Math.max(1, inner.stride);
  const isWhole = runs === 1 && outer.size <= outer.cells * detail;
  return isDense && isWhole ? Math.floor(LONGEST_READ / outer.stride) * outer.stride : 0;
}

/** The index of the first element of a cell. */
function firstOf({ size, cells }: Axis, cell: number): number {
  return Math.ceil((cell * size) / cells);
}

/** The lines of an axis to read, each with its cell: at most `detail` lines of a cell, evenly spread. */
function* linesOf(axis: Axis, detail: number): Generator<{ readonly at: number; readonly cell: number }> {
  for (let cell = 0; cell < axis.cells; cell++) {
    const first = firstOf(axis, cell);
    const size = firstOf(axis, cell + 1) - first;
    const count = Math.min(size, detail);
    for (let line = 0; line < count; line++)
      yield { at: first + Math.floor(((line + 0.5) * size) / count), cell };
  }
}

/** The minimum number of adjacent elements of a block that a sample reads: they cost hardly more than one. */
const SIDE_BY_SIDE = 64;

/** The runs to read of each line: all of it, or the middle of each cell. */
function* innerRuns(axis: Axis, lines: number): Generator<Run> {
  const detail = Math.max(lines, SIDE_BY_SIDE);
  if (axis.size <= axis.cells * detail)
    for (let from = 0; from < axis.size; from += LONGEST_READ)
      yield { from, to: Math.min(axis.size, from + LONGEST_READ) };
  else
    for (let cell = 0; cell < axis.cells; cell++) {
      const first = firstOf(axis, cell);
      const size = firstOf(axis, cell + 1) - first;
      const from = first + Math.floor((size - Math.min(size, detail)) / 2);
      yield { from, to: from + Math.min(size, detail) };
    }
}

/** Reads elements at a constant stride. */
class LineReader {
  readonly #source: NumberSource;
  /** The minimum number of elements to read, because the following ones will be needed. */
  readonly #ahead: number;
  #window = new Float64Array(0);
  #from = 0;
  #to = 0;
  #line = new Float64Array(0);

  constructor(source: NumberSource, ahead: number) {
    this.#source = source;
    this.#ahead = ahead;
  }

  /** The elements `first`, `first + stride`, … The array is reused by the next call. */
  read(first: number, stride: number, count: number): Float64Array {
    const step = count === 1 ? 1 : stride;
    if (this.#line.length < count) this.#line = new Float64Array(count);
    if (step > NEAR) this.#readApart(first, step, count);
    else {
      this.#reach(first, first + (count - 1) * step + 1);
      const start = first - this.#from;
      for (let at = 0; at < count; at++) this.#line[at] = this.#window[start + at * step] ?? Number.NaN;
    }
    return this.#line;
  }

  #readApart(first: number, stride: number, count: number): void {
    const one = new Float64Array(1);
    for (let at = 0; at < count; at++) {
      const index = first + at * stride;
      this.#source.read(index, index + 1, one);
      this.#line[at] = one[0] ?? Number.NaN;
    }
  }

  /** Loads the elements `[from, to)` into the window. */
  #reach(from: number, to: number): void {
    if (from >= this.#from && to <= this.#to) return;
    const end = Math.min(this.#source.length, Math.max(to, from + this.#ahead));
    if (this.#window.length < end - from) this.#window = new Float64Array(end - from);
    this.#source.read(from, end, this.#window);
    this.#from = from;
    this.#to = end;
  }
}

/** Sums are scaled down by this power of two, which is exact, so that those of huge numbers do not overflow. */
const SCALE = 2 ** -32;

/** The sums of blocks of elements. NaN and infinities propagate as in IEEE 754. */
class BlockSums {
  /** The number of elements that were added. */
  looked = 0;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length);
    this.#counts = new Float64Array(length);
  }

  /** Adds a run of elements of an axis to its cells, the first of which is at `base`. */
  add(numbers: Float64Array, { from, to }: Run, axis: Axis, base: number): void {
    this.looked += to - from;
    let cell = Math.floor((from * axis.cells) / axis.size);
    for (let at = from; at < to; cell++) {
      const end = Math.min(to, firstOf(axis, cell + 1));
      const place = base + cell * axis.cellStride;
      let sum = this.#sums[place] ?? 0;
      this.#counts[place] = (this.#counts[place] ?? 0) + end - at;
      for (; at < end; at++) sum += (numbers[at - from] ?? 0) * SCALE;
      this.#sums[place] = sum;
    }
  }

  means(): Float64Array {
    return this.#sums.map((sum, at) => sum / (this.#counts[at] ?? 1) / SCALE);
  }
}

/** The range of the finite cells; undefined if there are none. */
export function rangeOf({ values }: Cells): ValueRange | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : undefined;
}

/** The smallest range around 0 that contains a range, so that 0 is in the middle of a colour map. */
export function symmetricRange({ min, max }: ValueRange): ValueRange {
  const most = Math.max(Math.abs(min), Math.abs(max));
  return { min: -most, max: most };
}

/**
 * Paints cells with a colour map, enlarged with sharp edges if the picture is larger. Values outside of the
 * range get the colour of its end; NaN and infinities have special colours.
 */
export function paintCells(
  cells: Cells,
  { width, height }: PictureSize,
  range: ValueRange,
  colourMap: ColourMapName,
): Picture {
  const rgba = new Uint8ClampedArray(width * height * 4);
  const colours = cellColours(cells.values, range, colourMap);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * cells.rows) / height) * cells.columns;
    for (let x = 0; x < width; x++) {
      const cell = (row + Math.floor((x * cells.columns) / width)) * 3;
      const pixel = (y * width + x) * 4;
      rgba[pixel] = colours[cell] ?? 0;
      rgba[pixel + 1] = colours[cell + 1] ?? 0;
      rgba[pixel + 2] = colours[cell + 2] ?? 0;
      rgba[pixel + 3] = 255;
    }
  }
  return { width, height, rgba };
}

function cellColours(values: Float64Array, range: ValueRange, colourMap: ColourMapName): Uint8ClampedArray {
  const table = colourTable(colourMap);
  const colours = new Uint8ClampedArray(values.length * 3);
  // Computes with halves because the width of the range may overflow.
  const start = range.min / 2;
  const width = range.max / 2 - start;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value - value !== 0) colours.set(specialColour(value), at * 3);
    else {
      const share = width > 0 ? (value / 2 - start) / width : 0.5;
      const step = Math.round(Math.max(0, Math.min(1, share)) * (COLOUR_STEPS - 1)) * 3;
      colours[at * 3] = table[step] ?? 0;
      colours[at * 3 + 1] = table[step + 1] ?? 0;
      colours[at * 3 + 2] = table[step + 2] ?? 0;
    }
  }
  return colours;
}

/** The colour of NaN or an infinity. */
export function specialColour(value: number): Rgb {
  if (Number.isNaN(value)) return SPECIAL_COLOURS.nan;
  return value > 0 ? SPECIAL_COLOURS.positiveInfinity : SPECIAL_COLOURS.negativeInfinity;
}

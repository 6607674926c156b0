import { COLOUR_STEPS, colourTable, SPECIAL_COLOURS, type ColourMapName, type Rgb } from './colour-maps.ts';
import type { NumberSource } from './numbers.ts';
import type { Run } from './runs.ts';

/** A plane through a tensor: the element of a row and a column is `offset + row * rowStride + column * columnStride`. */
export interface Plane {
  readonly rows: number;
  readonly columns: number;
  readonly rowStride: number;
  readonly columnStride: number;
  readonly offset: number;
}

/** A part of a plane: its first row and column, and how many of them. */
export interface PlaneWindow {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** A part of a plane as a plane. */
export function cutPlane(plane: Plane, { row, column, rows, columns }: PlaneWindow): Plane {
  const offset = plane.offset + row * plane.rowStride + column * plane.columnStride;
  return { ...plane, rows, columns, offset };
}

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The values at the two ends of a colour map. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
}

/** A plane made small enough for a picture. */
export interface Cells {
  /** At most as many as the plane and the picture have. */
  readonly rows: number;
  readonly columns: number;
  /**
   * Row by row, the mean of the elements of each block. NaN where the block has a NaN or infinities of both signs,
   * infinite where it has an infinity: none of them is lost among thousands of others.
   */
  readonly values: Float64Array;
  /** How many elements the plane has. */
  readonly count: number;
  /** How many of them were looked at: fewer where only a part of each block was. */
  readonly looked: number;
}

/** A picture: red, green, blue and alpha bytes of each pixel, row by row. */
export interface Picture extends PictureSize {
  readonly rgba: Uint8ClampedArray;
}

/**
 * Makes a plane at most as large as a picture: a block of many elements becomes one cell. Where `detail` is given, at most
 * so many lines of each block are read, and of a line with very many elements only some of each block.
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
  // Elements that lie next to each other are read together, be they a row or a column.
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

/** At most so many elements of a line are read at once. */
const LONGEST_READ = 8_192;

/** Elements that are so near to each other are read with those between them; others one by one. */
const NEAR = 16;

/** An axis of a plane, and how its elements go into cells. */
interface Axis {
  /** Its elements. */
  readonly size: number;
  /** The cells that they become; no more than there are elements. */
  readonly cells: number;
  /** From an element to the next, in the source. */
  readonly stride: number;
  /** From a cell to the next, in the values. */
  readonly cellStride: number;
}

/** How many elements of whole lines are read at once; 0 where lines are long, lie apart, or are not all read. */
function readAhead(outer: Axis, inner: Axis, runs: number, detail: number): number {
  const isDense = outer.size > 1 && outer.stride <= inner.size * Math.max(1, inner.stride);
  const isWhole = runs === 1 && outer.size <= outer.cells * detail;
  return isDense && isWhole ? Math.floor(LONGEST_READ / outer.stride) * outer.stride : 0;
}

/** The first element of a cell. */
function firstOf({ size, cells }: Axis, cell: number): number {
  return Math.ceil((cell * size) / cells);
}

/** The lines of an axis that are read, each with its cell: of a cell with more than `detail` that many, spread evenly. */
function* linesOf(axis: Axis, detail: number): Generator<{ readonly at: number; readonly cell: number }> {
  for (let cell = 0; cell < axis.cells; cell++) {
    const first = firstOf(axis, cell);
    const size = firstOf(axis, cell + 1) - first;
    const count = Math.min(size, detail);
    for (let line = 0; line < count; line++)
      yield { at: first + Math.floor(((line + 0.5) * size) / count), cell };
  }
}

/** In a sample, so many elements of a block are read that lie side by side: they cost hardly more than one. */
const SIDE_BY_SIDE = 64;

/** What is read of each line: all of it, or the middle of each cell. */
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

/** Reads elements that lie a stride apart. */
class LineReader {
  readonly #source: NumberSource;
  /** So many elements are read at least, because the next ones will be asked for. */
  readonly #ahead: number;
  #window = new Float64Array(0);
  #from = 0;
  #to = 0;
  #line = new Float64Array(0);

  constructor(source: NumberSource, ahead: number) {
    this.#source = source;
    this.#ahead = ahead;
  }

  /** The elements `first`, `first + stride`, … The array is used again by the next call. */
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

  /** Has the elements `[from, to)` in the window. */
  #reach(from: number, to: number): void {
    if (from >= this.#from && to <= this.#to) return;
    const end = Math.min(this.#source.length, Math.max(to, from + this.#ahead));
    if (this.#window.length < end - from) this.#window = new Float64Array(end - from);
    this.#source.read(from, end, this.#window);
    this.#from = from;
    this.#to = end;
  }
}

/** Sums are kept so much smaller, exactly, that those of huge numbers do not overflow. */
const SCALE = 2 ** -32;

/** The sums of blocks of elements. What is no finite number stays in its sum, as IEEE 754 adds. */
class BlockSums {
  /** How many elements were added. */
  looked = 0;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length);
    this.#counts = new Float64Array(length);
  }

  /** Adds the elements of a run of an axis to its cells, whose first one is at `base`. */
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

/** The range of the finite cells; undefined where there is none. */
export function rangeOf({ values }: Cells): ValueRange | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : undefined;
}

/** The range around 0 that holds a range: the middle of a colour map then is 0. */
export function symmetricRange({ min, max }: ValueRange): ValueRange {
  const most = Math.max(Math.abs(min), Math.abs(max));
  return { min: -most, max: most };
}

/**
 * Paints cells in the colours of a map, enlarged with crisp edges where the picture has more pixels. What lies outside of
 * the range has the colour of its end; NaN and infinities have colours of their own.
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
  // Halves: the width of a range may be no finite number.
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

/** The colour of what is no finite number. */
export function specialColour(value: number): Rgb {
  if (Number.isNaN(value)) return SPECIAL_COLOURS.nan;
  return value > 0 ? SPECIAL_COLOURS.positiveInfinity : SPECIAL_COLOURS.negativeInfinity;
}

import type { Rgb } from '../../../../tensor/colour-maps.ts';
import type { PlaneWindow } from '../../../../tensor/heat-map.ts';
import type { ImageSize } from '../../shared/canvas.ts';
import type { Cell } from '../axes.ts';
import { scaleOf, type PictureSize, type Room, type Viewport } from './picture-viewport.ts';

/** The number of rows that are read for a pixel that shows more; about as many columns are read. */
export const BLOCK_DETAIL = 48;

/**
 * A part of a picture's cells, and how many of them share a pixel in each direction. At the far edges fewer
 * may share one.
 */
export interface PicturePart extends PlaneWindow {
  readonly blockRows: number;
  readonly blockColumns: number;
}

/** Computes the colours of cells. Another object means other colours. */
export interface Painter {
  readonly size: PictureSize;
  /** The colours of a part as RGBA, in the given size. */
  paint(part: PlaneWindow, size: ImageSize): Uint8ClampedArray;
}

/** The number of cells painted per step, which takes about a millisecond. */
const CELLS = 1 << 14;

/** The cells that are visible in `room`. */
export function partSeen(size: PictureSize, { zoom, left, top }: Viewport, room: Room): PicturePart {
  const along = (
    start: number,
    length: number,
    count: number,
  ): { from: number; cells: number; block: number } => {
    const { pixels, cells } = scaleOf(zoom, count, size.least);
    const from = Math.floor(start / pixels) * cells;
    return {
      from,
      cells: Math.min(Math.ceil((start + length) / pixels) * cells, count) - from,
      block: cells,
    };
  };
  const down = along(top, room.height, size.rows);
  const across = along(left, room.width, size.columns);
  return {
    row: down.from,
    column: across.from,
    rows: down.cells,
    columns: across.cells,
    blockRows: down.block,
    blockColumns: across.block,
  };
}

/** The position of a part in the visible area at the current zoom, whatever zoom it was painted for. */
export function placePart(
  { row, column, rows, columns }: PicturePart,
  size: PictureSize,
  { zoom, left, top }: Viewport,
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const down = scaleOf(zoom, size.rows, size.least);
  const across = scaleOf(zoom, size.columns, size.least);
  return {
    x: (column / across.cells) * across.pixels - left,
    y: (row / down.cells) * down.pixels - top,
    width: Math.ceil(columns / across.cells) * across.pixels,
    height: Math.ceil(rows / down.cells) * down.pixels,
  };
}

/** The painted colours of a part, with the size in pixels. */
export interface PaintedPart extends ImageSize {
  readonly part: PicturePart;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Paints a part in steps of some lines of blocks. Yields the completed share from 0 to 1. */
export function* paintSteps(painter: Painter, part: PicturePart): Generator<number, PaintedPart> {
  const { row, column, rows, columns, blockRows, blockColumns } = part;
  const [width, height] = [Math.ceil(columns / blockColumns), Math.ceil(rows / blockRows)];
  const rgba = new Uint8ClampedArray(width * height * 4);
  const lines = Math.max(1, Math.floor(CELLS / (columns * blockRows)));
  const across = listRuns(columns, blockColumns, width);
  for (const down of listRuns(rows, blockRows, lines)) {
    yield down.block / height;
    for (const { from, cells, block, blocks } of across) {
      const window = { row: row + down.from, column: column + from, rows: down.cells, columns: cells };
      const painted = painter.paint(window, { width: blocks, height: down.blocks });
      for (let line = 0; line < down.blocks; line++)
        rgba.set(
          painted.subarray(line * blocks * 4, (line + 1) * blocks * 4),
          ((down.block + line) * width + block) * 4,
        );
    }
  }
  return { part, width, height, rgba };
}

/** Blocks of one size along a side: the first cell and block, and the number of each. */
interface BlockRun {
  readonly from: number;
  readonly cells: number;
  readonly block: number;
  readonly blocks: number;
}

/** Splits a side into runs of at most `most` whole blocks, and a smaller block at the end. */
function listRuns(size: number, cells: number, most: number): readonly BlockRun[] {
  const runs: BlockRun[] = [];
  const whole = Math.floor(size / cells);
  for (let block = 0; block < whole; block += most) {
    const blocks = Math.min(most, whole - block);
    runs.push({ from: block * cells, cells: blocks * cells, block, blocks });
  }
  if (whole * cells < size)
    runs.push({ from: whole * cells, cells: size - whole * cells, block: whole, blocks: 1 });
  return runs;
}

/** The painted colour of a cell; undefined if it was not painted. */
export function colourAt({ part, width, rgba }: PaintedPart, { row, column }: Cell): Rgb | undefined {
  const [down, across] = [row - part.row, column - part.column];
  if (down < 0 || across < 0 || down >= part.rows || across >= part.columns) return undefined;
  const pixel = Math.floor(down / part.blockRows) * width + Math.floor(across / part.blockColumns);
  const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4);
  return [red, green, blue];
}

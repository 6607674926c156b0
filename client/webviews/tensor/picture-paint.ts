import type { Rgb } from '../../../tensor/colour-maps.ts';
import type { PlaneWindow } from '../../../tensor/heat-map.ts';
import type { ImageSize } from '../shared/canvas.ts';
import type { Cell } from './axes.ts';
import { scaleOf, type PictureSize, type Room, type Viewport } from './picture-viewport.ts';

/** Of a pixel that shows more rows than these, so many are read, and as many columns or some more. */
export const BLOCK_DETAIL = 48;

/** A part of a picture's cells, and how many of them share a pixel in each direction; at its far edges it may be fewer. */
export interface PicturePart extends PlaneWindow {
  readonly blockRows: number;
  readonly blockColumns: number;
}

/** What gives cells their colours. Another object means other colours. */
export interface Painter {
  readonly size: PictureSize;
  /** The colours of a part as RGBA, in so many pixels. */
  paint(part: PlaneWindow, size: ImageSize): Uint8ClampedArray;
}

/** So many cells are painted in a step: that takes about a millisecond. */
const CELLS = 1 << 14;

/** The cells that a room shows. */
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

/** Where a part lies in a room, whatever zoom it was painted for. */
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

/** The colours of a part, and how many pixels they are. */
export interface PaintedPart extends ImageSize {
  readonly part: PicturePart;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Paints a part, some lines of its blocks a step; the steps give how much is done, from 0 to 1. */
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

/** Blocks of one size along a side: its first cell and block, and how many there are of each. */
interface BlockRun {
  readonly from: number;
  readonly cells: number;
  readonly block: number;
  readonly blocks: number;
}

/** Cuts a side into runs of at most so many whole blocks, and a smaller block at the end. */
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

/** The colour of a cell in what was painted; undefined where it was not. */
export function colourAt({ part, width, rgba }: PaintedPart, { row, column }: Cell): Rgb | undefined {
  const [down, across] = [row - part.row, column - part.column];
  if (down < 0 || across < 0 || down >= part.rows || across >= part.columns) return undefined;
  const pixel = Math.floor(down / part.blockRows) * width + Math.floor(across / part.blockColumns);
  const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4);
  return [red, green, blue];
}

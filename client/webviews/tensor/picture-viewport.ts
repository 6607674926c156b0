import type { Cell } from './axes.ts';

/**
 * How large cells are drawn: `pixels` of the screen for `cells` cells, along each axis. One of the two is 1, so that a
 * cell is a whole number of pixels, or a pixel a whole number of cells: nothing in a picture is blurred.
 */
export interface Zoom {
  readonly pixels: number;
  readonly cells: number;
}

/** What is drawn: cells in rows and columns. An axis is drawn at least `least` pixels long, so that a vector can be seen. */
export interface PictureSize {
  readonly rows: number;
  readonly columns: number;
  readonly least: number;
}

/** The room that a picture has, in device pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** What is seen of a picture: `left` and `top` are the pixels of the zoomed picture that lie before the room. */
export interface Viewport {
  readonly zoom: Zoom;
  readonly left: number;
  readonly top: number;
}

/** A pixel of the room. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The zooms that one can step through, from the farthest to the nearest. */
const LADDER: readonly Zoom[] = [
  ...[256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2].map(cells => ({ pixels: 1, cells })),
  ...[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192].map(pixels => ({ pixels, cells: 1 })),
];

/** One cell in one pixel. */
export const ACTUAL_SIZE: Zoom = { pixels: 1, cells: 1 };

/** A small picture is enlarged to fit, up to cells that hold a number. */
const MOST_FITTED = 64;

/** The scale of one axis: that of the zoom, or larger where the axis would be shorter than `least`. */
export function scaleOf(zoom: Zoom, size: number, least: number): Zoom {
  return {
    pixels: Math.max(zoom.pixels, Math.floor(least / Math.max(size, 1))),
    cells: Math.min(zoom.cells, Math.max(1, Math.floor(size / least))),
  };
}

/** How many pixels the whole picture takes. */
export function extentOf(zoom: Zoom, { rows, columns, least }: PictureSize): Room {
  return { width: lengthOf(zoom, columns, least), height: lengthOf(zoom, rows, least) };
}

function lengthOf(zoom: Zoom, size: number, least: number): number {
  const { pixels, cells } = scaleOf(zoom, size, least);
  return Math.ceil(size / cells) * pixels;
}

/** The nearest zoom at which the whole picture is seen. */
export function fitZoom({ rows, columns }: PictureSize, room: Room): Zoom {
  const width = Math.max(room.width, 1);
  const height = Math.max(room.height, 1);
  const cells = Math.max(Math.ceil(columns / width), Math.ceil(rows / height));
  if (cells > 1) return { pixels: 1, cells };
  const pixels = Math.min(Math.floor(width / Math.max(columns, 1)), Math.floor(height / Math.max(rows, 1)));
  return { pixels: Math.max(1, Math.min(pixels, MOST_FITTED)), cells: 1 };
}

/** The next zoom of the ladder, nearer or farther; no farther than to see the whole, or the actual size of a small one. */
export function stepZoom(zoom: Zoom, direction: 'in' | 'out', farthest: Zoom): Zoom {
  const now = shareOf(zoom);
  if (direction === 'in') return LADDER.find(step => shareOf(step) > now) ?? zoom;
  const least = shareOf(farthest) < 1 ? farthest : ACTUAL_SIZE;
  const next = LADDER.findLast(step => shareOf(step) < now) ?? least;
  if (shareOf(least) > now) return zoom;
  return shareOf(next) < shareOf(least) ? least : next;
}

function shareOf({ pixels, cells }: Zoom): number {
  return pixels / cells;
}

/** How much is enlarged: `4×` shows a cell in four pixels, `1/6×` six cells in a pixel. */
export function describeZoom({ pixels, cells }: Zoom): string {
  return cells === 1 ? `${pixels}×` : `1/${cells}×`;
}

/** Another zoom, with the same place of the picture under a point of the room. */
export function zoomAt(
  viewport: Viewport,
  zoom: Zoom,
  size: PictureSize,
  room: Room,
  point: Point,
): Viewport {
  const along = (start: number, at: number, count: number): number => {
    const was = scaleOf(viewport.zoom, count, size.least);
    const next = scaleOf(zoom, count, size.least);
    const cell = ((start + at) * was.cells) / was.pixels;
    return Math.round((cell * next.pixels) / next.cells - at);
  };
  const moved = {
    zoom,
    left: along(viewport.left, point.x, size.columns),
    top: along(viewport.top, point.y, size.rows),
  };
  return clampViewport(moved, size, room);
}

/** Moved by pixels. */
export function panBy(viewport: Viewport, by: Point, size: PictureSize, room: Room): Viewport {
  const moved = { ...viewport, left: viewport.left + by.x, top: viewport.top + by.y };
  return clampViewport(moved, size, room);
}

/** No farther than to the picture's edges; a picture smaller than the room begins at its start. */
export function clampViewport({ zoom, left, top }: Viewport, size: PictureSize, room: Room): Viewport {
  const extent = extentOf(zoom, size);
  return {
    zoom,
    left: Math.max(0, Math.min(Math.round(left), extent.width - room.width)),
    top: Math.max(0, Math.min(Math.round(top), extent.height - room.height)),
  };
}

/** Moved as little as it takes to see a cell; the same object where it is seen. */
export function reveal(viewport: Viewport, cell: Cell, size: PictureSize, room: Room): Viewport {
  const box = boxOf(viewport, cell, size);
  const by = {
    x: overhang(box.x, box.width, room.width),
    y: overhang(box.y, box.height, room.height),
  };
  return by.x === 0 && by.y === 0 ? viewport : panBy(viewport, by, size, room);
}

function overhang(start: number, length: number, room: number): number {
  if (start < 0) return start;
  return Math.max(0, Math.min(start, start + length - room));
}

/** Where a cell, or the pixel that it shares with others, is drawn in the room. */
export function boxOf(
  { zoom, left, top }: Viewport,
  { row, column }: Cell,
  { rows, columns, least }: PictureSize,
): Point & Room {
  const across = scaleOf(zoom, columns, least);
  const down = scaleOf(zoom, rows, least);
  return {
    x: Math.floor(column / across.cells) * across.pixels - left,
    y: Math.floor(row / down.cells) * down.pixels - top,
    width: across.pixels,
    height: down.pixels,
  };
}

/** How many cells a pixel shows in each direction. */
export interface Block {
  readonly rows: number;
  readonly columns: number;
}

/** How many cells a pixel shows; at the far edges it may be fewer. */
export function blockOf(zoom: Zoom, { rows, columns, least }: PictureSize): Block {
  return { rows: scaleOf(zoom, rows, least).cells, columns: scaleOf(zoom, columns, least).cells };
}

/** The cells that a pixel of the room shows: the first of them, and how many there are. */
export interface Spot extends Cell, Block {}

/** What is drawn at a point of the room; undefined beside the picture. */
export function spotAt({ zoom, left, top }: Viewport, { x, y }: Point, size: PictureSize): Spot | undefined {
  const across = scaleOf(zoom, size.columns, size.least);
  const down = scaleOf(zoom, size.rows, size.least);
  const column = Math.floor((left + x) / across.pixels) * across.cells;
  const row = Math.floor((top + y) / down.pixels) * down.cells;
  if (row < 0 || column < 0 || row >= size.rows || column >= size.columns) return undefined;
  return {
    row,
    column,
    rows: Math.min(down.cells, size.rows - row),
    columns: Math.min(across.cells, size.columns - column),
  };
}

/** One step from a cell; where a pixel shows several cells, the first cell of the next pixel. */
export function stepCell(zoom: Zoom, { row, column }: Cell, by: Point, size: PictureSize): Cell {
  const along = (at: number, step: number, count: number): number => {
    const { cells } = scaleOf(zoom, count, size.least);
    const next = step === 0 ? at : (Math.floor(at / cells) + step) * cells;
    return Math.max(0, Math.min(count - 1, next));
  };
  return { row: along(row, by.y, size.rows), column: along(column, by.x, size.columns) };
}

/** A viewport as text that `parseViewport` reads: `1:6 0 40`. */
export function printViewport({ zoom, left, top }: Viewport): string {
  return `${zoom.pixels}:${zoom.cells} ${left} ${top}`;
}

/** Reads what was kept; undefined for any other text. */
export function parseViewport(text: string): Viewport | undefined {
  const [, pixels, cells, left, top] = /^(\d{1,3}):(\d{1,9}) (\d{1,12}) (\d{1,12})$/.exec(text) ?? [];
  const zoom = { pixels: Number(pixels), cells: Number(cells) };
  const isZoom = Math.min(zoom.pixels, zoom.cells) === 1;
  return isZoom ? { zoom, left: Number(left), top: Number(top) } : undefined;
}

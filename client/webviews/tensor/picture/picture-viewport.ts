import type { Cell } from '../axes.ts';

/**
 * The drawn size of cells along each axis: `pixels` screen pixels for `cells` cells. One of the two is 1, so
 * a cell is a whole number of pixels or a pixel a whole number of cells, and nothing is blurred.
 */
export interface Zoom {
  readonly pixels: number;
  readonly cells: number;
}

/** The size of a picture in cells. An axis is drawn at least `least` pixels long, so that a vector is visible. */
export interface PictureSize {
  readonly rows: number;
  readonly columns: number;
  readonly least: number;
}

/** The size of the visible area in device pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** The visible part of a picture. `left` and `top` are the pixels of the zoomed picture before the visible area. */
export interface Viewport {
  readonly zoom: Zoom;
  readonly left: number;
  readonly top: number;
}

/** A pixel of the visible area. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The steps of the zoom, from farthest to nearest. */
const LADDER: readonly Zoom[] = [
  ...[256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2].map(cells => ({ pixels: 1, cells })),
  ...[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192].map(pixels => ({ pixels, cells: 1 })),
];

/** One cell per pixel. */
export const ACTUAL_SIZE: Zoom = { pixels: 1, cells: 1 };

/** The maximum pixels per cell when a small picture is enlarged to fit; cells of this size show their value. */
const MAX_FITTED = 64;

/** The scale of one axis: the zoom, or larger if the axis would be shorter than `least`. */
export function scaleOf(zoom: Zoom, size: number, least: number): Zoom {
  return {
    pixels: Math.max(zoom.pixels, Math.floor(least / Math.max(size, 1))),
    cells: Math.min(zoom.cells, Math.max(1, Math.floor(size / least))),
  };
}

/** The size of the whole picture in pixels. */
export function extentOf(zoom: Zoom, { rows, columns, least }: PictureSize): Room {
  return { width: lengthOf(zoom, columns, least), height: lengthOf(zoom, rows, least) };
}

function lengthOf(zoom: Zoom, size: number, least: number): number {
  const { pixels, cells } = scaleOf(zoom, size, least);
  return Math.ceil(size / cells) * pixels;
}

/** The nearest zoom at which the whole picture is visible. */
export function fitZoom({ rows, columns }: PictureSize, room: Room): Zoom {
  const width = Math.max(room.width, 1);
  const height = Math.max(room.height, 1);
  const cells = Math.max(Math.ceil(columns / width), Math.ceil(rows / height));
  if (cells > 1) return { pixels: 1, cells };
  const pixels = Math.min(Math.floor(width / Math.max(columns, 1)), Math.floor(height / Math.max(rows, 1)));
  return { pixels: Math.max(1, Math.min(pixels, MAX_FITTED)), cells: 1 };
}

/** The next zoom step in or out. The farthest shows the whole picture, or a small one in actual size. */
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

/** The magnification as text: `4×` shows a cell in four pixels, `1/6×` six cells in a pixel. */
export function describeZoom({ pixels, cells }: Zoom): string {
  return cells === 1 ? `${pixels}×` : `1/${cells}×`;
}

/** Changes the zoom so that the same place of the picture stays at a point of the visible area. */
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

/** Moves the viewport by pixels. */
export function panBy(viewport: Viewport, by: Point, size: PictureSize, room: Room): Viewport {
  const moved = { ...viewport, left: viewport.left + by.x, top: viewport.top + by.y };
  return clampViewport(moved, size, room);
}

/** Limits a viewport to the picture. A picture smaller than the visible area begins at its start. */
export function clampViewport({ zoom, left, top }: Viewport, size: PictureSize, room: Room): Viewport {
  const extent = extentOf(zoom, size);
  return {
    zoom,
    left: Math.max(0, Math.min(Math.round(left), extent.width - room.width)),
    top: Math.max(0, Math.min(Math.round(top), extent.height - room.height)),
  };
}

/** Moves the viewport as little as needed to show a cell. Returns the same object if the cell is visible. */
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

/** The drawn position of a cell, or of the pixel that it shares with others, in the visible area. */
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

/** The number of cells per pixel in each direction. */
export interface Block {
  readonly rows: number;
  readonly columns: number;
}

/** The number of cells per pixel; at the far edges there may be fewer. */
export function blockOf(zoom: Zoom, { rows, columns, least }: PictureSize): Block {
  return { rows: scaleOf(zoom, rows, least).cells, columns: scaleOf(zoom, columns, least).cells };
}

/** The cells of one pixel: the first of them, and their number. */
export interface Spot extends Cell, Block {}

/** The cells drawn at a point; undefined outside of the picture. */
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

/** Steps from a cell to the next. If a pixel shows several cells, steps to the first cell of the next pixel. */
export function stepCell(zoom: Zoom, { row, column }: Cell, by: Point, size: PictureSize): Cell {
  const along = (at: number, step: number, count: number): number => {
    const { cells } = scaleOf(zoom, count, size.least);
    const next = step === 0 ? at : (Math.floor(at / cells) + step) * cells;
    return Math.max(0, Math.min(count - 1, next));
  };
  return { row: along(row, by.y, size.rows), column: along(column, by.x, size.columns) };
}

/** A viewport in the text form that `parseViewport` reads: `1:6 0 40`. */
export function printViewport({ zoom, left, top }: Viewport): string {
  return `${zoom.pixels}:${zoom.cells} ${left} ${top}`;
}

/** Parses a stored viewport; undefined for any other text. */
export function parseViewport(text: string): Viewport | undefined {
  const [, pixels, cells, left, top] = /^(\d{1,3}):(\d{1,9}) (\d{1,12}) (\d{1,12})$/.exec(text) ?? [];
  const zoom = { pixels: Number(pixels), cells: Number(cells) };
  const isZoom = Math.min(zoom.pixels, zoom.cells) === 1;
  return isZoom ? { zoom, left: Number(left), top: Number(top) } : undefined;
}

import { scaleOf, type PictureSize, type Room, type Viewport } from './picture-viewport.ts';

/** A part of a picture's cells, and how many of them share a pixel in each direction. */
export interface PicturePart {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  readonly blockRows: number;
  readonly blockColumns: number;
}

/** What gives cells their colours. Another object means other colours. */
export interface Painter {
  readonly size: PictureSize;
  /** The colours of a part as RGBA, one pixel for each block; blocks at the far edges may be smaller. */
  paint(part: PicturePart): Uint8ClampedArray;
}

/** Pixels of the picture, side by side: none are painted again while one moves over it. */
interface Tile {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
}

/** Blocks along a tile's side, and cells along it: a tile is painted in about a millisecond. */
const MOST_BLOCKS = 64;
const MOST_CELLS = 256;
const LEAST_BLOCKS = 4;

/** Pixels that are kept: 32 MB. */
const MOST_KEPT = 8 * 1024 * 1024;

/** The painted parts of a picture at one zoom, and what is seen of them. */
export class PictureTiles {
  readonly #tiles = new Map<string, Tile>();
  #painter: Painter | undefined;
  #blocks = '';

  /**
   * Paints the tiles that a viewport needs and that are not there yet, one a step; the steps give how many are still
   * missing. Tiles of another picture or block size are forgotten.
   */
  *paint(painter: Painter, viewport: Viewport, room: Room): Generator<number, void> {
    const layout = layOut(painter.size, viewport, room);
    const blocks = `${layout.down.cells}:${layout.across.cells}`;
    if (painter !== this.#painter || blocks !== this.#blocks) this.#tiles.clear();
    this.#painter = painter;
    this.#blocks = blocks;
    const missing = [...placesOf(layout)].filter(place => !this.#tiles.has(keyOf(place)));
    this.#forget(missing.length * layout.side * layout.side, layout);
    for (const [at, place] of missing.entries()) {
      yield missing.length - at;
      this.#tiles.set(keyOf(place), paintTile(painter, layout, place));
    }
  }

  /** Puts what is painted of a viewport into RGBA pixels of the room's width; where nothing is, they stay as they are. */
  compose(painter: Painter, viewport: Viewport, room: Room, into: Uint32Array): void {
    const layout = layOut(painter.size, viewport, room);
    for (const place of placesOf(layout)) {
      const tile = this.#tiles.get(keyOf(place));
      if (tile) copyTile(tile, layout, place, into);
    }
  }

  /** The oldest tiles go where new ones need their room; those that are seen stay. */
  #forget(wanted: number, layout: Layout): void {
    const kept = new Set([...placesOf(layout)].map(keyOf));
    let total = wanted;
    for (const { pixels } of this.#tiles.values()) total += pixels.length;
    for (const [key, { pixels }] of this.#tiles) {
      if (total <= MOST_KEPT) return;
      if (kept.has(key)) continue;
      this.#tiles.delete(key);
      total -= pixels.length;
    }
  }
}

/** How tiles lie in a room. */
interface Layout {
  readonly size: PictureSize;
  readonly viewport: Viewport;
  readonly room: Room;
  readonly down: { readonly pixels: number; readonly cells: number };
  readonly across: { readonly pixels: number; readonly cells: number };
  /** Blocks along a tile's side. */
  readonly side: number;
}

interface TilePlace {
  readonly down: number;
  readonly across: number;
}

function keyOf({ down, across }: TilePlace): string {
  return `${down},${across}`;
}

function layOut(size: PictureSize, viewport: Viewport, room: Room): Layout {
  const down = scaleOf(viewport.zoom, size.rows, size.least);
  const across = scaleOf(viewport.zoom, size.columns, size.least);
  const fitting = Math.floor(MOST_CELLS / Math.max(down.cells, across.cells));
  const side = Math.max(LEAST_BLOCKS, Math.min(MOST_BLOCKS, fitting));
  return { size, viewport, room, down, across, side };
}

function* placesOf({ size, viewport, room, down, across, side }: Layout): Generator<TilePlace> {
  const first = (start: number, pixels: number): number => Math.floor(start / (pixels * side));
  const end = (start: number, length: number, pixels: number, count: number, cells: number): number =>
    Math.min(Math.ceil((start + length) / (pixels * side)), Math.ceil(count / (cells * side)));
  const lastDown = end(viewport.top, room.height, down.pixels, size.rows, down.cells);
  const lastAcross = end(viewport.left, room.width, across.pixels, size.columns, across.cells);
  for (let i = first(viewport.top, down.pixels); i < lastDown; i++) {
    for (let j = first(viewport.left, across.pixels); j < lastAcross; j++) yield { down: i, across: j };
  }
}

function paintTile(painter: Painter, { size, down, across, side }: Layout, place: TilePlace): Tile {
  const row = place.down * side * down.cells;
  const column = place.across * side * across.cells;
  const rows = Math.min(side * down.cells, size.rows - row);
  const columns = Math.min(side * across.cells, size.columns - column);
  const painted = painter.paint({
    row,
    column,
    rows,
    columns,
    blockRows: down.cells,
    blockColumns: across.cells,
  });
  return {
    pixels: new Uint32Array(painted.buffer, painted.byteOffset, painted.length / 4),
    width: Math.ceil(columns / across.cells),
    height: Math.ceil(rows / down.cells),
  };
}

/** Enlarges a tile by whole numbers into the room, as far as it lies in it. */
function copyTile(tile: Tile, layout: Layout, place: TilePlace, into: Uint32Array): void {
  const { viewport, room, down, across, side } = layout;
  const left = place.across * side * across.pixels - viewport.left;
  const top = place.down * side * down.pixels - viewport.top;
  const fromX = Math.max(0, left);
  const toX = Math.min(room.width, left + tile.width * across.pixels);
  const fromY = Math.max(0, top);
  const toY = Math.min(room.height, top + tile.height * down.pixels);
  let drawn = -1;
  for (let y = fromY; y < toY; y++) {
    const line = Math.floor((y - top) / down.pixels);
    const start = y * room.width;
    if (line === drawn) {
      // A row of cells is several rows of pixels.
      into.copyWithin(start + fromX, start - room.width + fromX, start - room.width + toX);
      continue;
    }
    drawn = line;
    for (let x = fromX; x < toX; x++) {
      into[start + x] = tile.pixels[line * tile.width + Math.floor((x - left) / across.pixels)] ?? 0;
    }
  }
}

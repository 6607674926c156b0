/** The header of a PNG file (PNG, third edition, 11.2.1). */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  readonly colour: number;
  /** Samples per pixel in the file; one for a palette. */
  readonly channels: number;
  readonly interlaced: boolean;
}

/** A reduced image: the pixels from (`x`, `y`) on, at distances of `stepX` and `stepY`. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
/** The seven passes of an interlaced image (8.1, Adam7). */
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** The passes that contain pixels, with their sizes; `row` is the number of bytes in a row without its filter byte. */
function passesOf({ width, height, depth, channels, interlaced }: PngHeader) {
  return (interlaced ? ADAM7 : WHOLE)
    .map(pass => {
      const columns = Math.ceil((width - pass.x) / pass.stepX);
      const rows = Math.ceil((height - pass.y) / pass.stepY);
      return { ...pass, columns, rows, row: Math.ceil((columns * channels * depth) / 8) };
    })
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/** The size of the decompressed data in bytes, including one filter byte for each row (7.2). */
export function rawSize(header: PngHeader): number {
  return passesOf(header).reduce((sum, { rows, row }) => sum + rows * (row + 1), 0);
}

/**
 * The samples in pixel order: one byte each, or two little-endian bytes for 16 bits. `raw` must have
 * `rawSize` bytes and is unfiltered in place; undefined if a row has an unknown filter.
 */
export function readSamples(header: PngHeader, raw: Uint8Array): Uint8Array | undefined {
  const { width, height, depth, channels } = header;
  const pixel = channels * Math.ceil(depth / 8);
  const samples = new Uint8Array(width * height * pixel);
  let at = 0;
  for (const { x, y, stepX, stepY, columns, rows, row } of passesOf(header)) {
    let above = new Uint8Array(row);
    const wide = new Uint8Array(columns * pixel);
    for (let line = 0; line < rows; line++) {
      const current = raw.subarray(at + 1, at + 1 + row);
      if (!unfilter(raw[at] ?? 0, current, above, Math.max(1, (channels * depth) >> 3))) return undefined;
      widen(current, wide, depth);
      let to = ((y + line * stepY) * width + x) * pixel;
      for (let from = 0; from < wide.length; from += pixel, to += stepX * pixel)
        for (let byte = 0; byte < pixel; byte++) samples[to + byte] = wide[from + byte] ?? 0;
      above = new Uint8Array(current);
      at += row + 1;
    }
  }
  return samples;
}

/** Reverses a row's filter (9.2), which predicts bytes from the left, upper and upper left neighbours. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixel: number): boolean {
  const guess = GUESSES[filter];
  if (!guess) return false;
  if (filter === 0) return true;
  for (let at = 0; at < row.length; at++) {
    const left = at >= pixel ? (row[at - pixel] ?? 0) : 0;
    const corner = at >= pixel ? (above[at - pixel] ?? 0) : 0;
    row[at] = (row[at] ?? 0) + guess(left, above[at] ?? 0, corner);
  }
  return true;
}

const GUESSES: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  left => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** The neighbour that is closest to left + above - corner (9.4). */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/**
 * Expands the samples of a row to bytes: small ones are unpacked
 * from the highest bits down, 16-bit ones become little-endian.
 */
function widen(row: Uint8Array, into: Uint8Array, depth: number): void {
  if (depth === 8) return into.set(row);
  if (depth === 16) {
    for (let at = 0; at < row.length; at++) into[at] = row[at ^ 1] ?? 0;
    return;
  }
  const perByte = 8 / depth;
  for (let at = 0; at < into.length; at++) {
    const shift = 8 - depth * ((at % perByte) + 1);
    into[at] = ((row[Math.floor(at / perByte)] ?? 0) >> shift) & (2 ** depth - 1);
  }
}

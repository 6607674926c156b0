// Lines of a grid that scrolls across. All lines could move on by a column whenever the view does, but then every cell is
// written in one frame. So a line is longer than the view, and begins anew only once every few columns: each line in
// another frame.

/** Columns by which the start of a line moves at once: more spread the work over more frames, and make each line longer. */
const STEP = 3;

/** Lines of cells: how many columns there are, and how many of them touch the view. */
export interface Lines {
  readonly count: number;
  readonly seen: number;
}

/** The way that is scrolled. */
export interface Direction {
  readonly isForward: boolean;
}

/** The cells of a line: those that are seen, and as many more as hold the view for two steps. */
export function lineLength({ count, seen }: Lines): number {
  return Math.min(count, seen + 2 * STEP - 1);
}

/**
 * The column with which a line should begin while `first` is the first one seen: most of what is not seen lies ahead.
 * It changes once every few columns, and the start before it is still good until it changes again.
 */
export function lineStart(lines: Lines, first: number, { isForward }: Direction): number {
  const start = Math.floor(first / STEP) * STEP - (isForward ? 0 : STEP);
  return Math.max(0, Math.min(lines.count - lineLength(lines), start));
}

/** True where a line that begins with `start` holds all that is seen from `first` on. */
export function lineCovers(lines: Lines, start: number, first: number): boolean {
  return start >= 0 && start <= first && first + lines.seen <= start + lineLength(lines);
}

/** A frame of scrolling across: the first column seen, with its fraction, before it and in it. */
export interface Scrolled extends Direction {
  readonly before: number;
  readonly now: number;
}

/**
 * How many of so many lines, which begin with `start` and could begin better, to write in a frame of scrolling: their part
 * of the way that is left until they end in sight.
 */
export function linesToMove(count: number, lines: Lines, start: number, scrolled: Scrolled): number {
  const { before, now, isForward } = scrolled;
  const end = isForward ? start + lineLength(lines) - lines.seen + 1 : start;
  const moved = Math.abs(now - before);
  if (moved === 0) return 0;
  return Math.min(count, Math.ceil((count * moved) / Math.max(moved, Math.abs(end - now))));
}

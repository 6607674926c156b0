// Lines of a grid that scrolls horizontally. If every line moved by a column whenever the view does, all
// cells would be written in one frame. So a line is longer than the view and is rewritten only once every few
// columns, each line in a different frame.

/**
 * The number of columns by which the start of a line moves at once. A larger step spreads the work over more
 * frames and makes each line longer.
 */
const STEP = 3;

/** The total number of columns, and the number that touches the view. */
export interface Lines {
  readonly count: number;
  readonly seen: number;
}

/** The scroll direction. */
export interface Direction {
  readonly isForward: boolean;
}

/** The number of cells of a line: the visible ones, plus enough to cover the view for two steps. */
export function lineLength({ count, seen }: Lines): number {
  return Math.min(count, seen + 2 * STEP - 1);
}

/**
 * The preferred first column of a line while `first` is the first visible one. Most hidden columns are ahead
 * in scroll direction. The value changes once every few columns, and the previous start still covers the view
 * until the next change.
 */
export function lineStart(lines: Lines, first: number, { isForward }: Direction): number {
  const start = Math.floor(first / STEP) * STEP - (isForward ? 0 : STEP);
  return Math.max(0, Math.min(lines.count - lineLength(lines), start));
}

/** True if a line that begins at `start` contains all visible columns from `first` on. */
export function lineCovers(lines: Lines, start: number, first: number): boolean {
  return start >= 0 && start <= first && first + lines.seen <= start + lineLength(lines);
}

/** One frame of horizontal scrolling: the first visible column, with its fraction, before and now. */
export interface Scrolled extends Direction {
  readonly before: number;
  readonly now: number;
}

/**
 * How many of `count` lines, which begin at `start` and should move, to rewrite in this frame. It is proportional to
 * the share of the remaining way, until the end of the lines becomes visible, that was scrolled.
 */
export function linesToMove(count: number, lines: Lines, start: number, scrolled: Scrolled): number {
  const { before, now, isForward } = scrolled;
  const end = isForward ? start + lineLength(lines) - lines.seen + 1 : start;
  const moved = Math.abs(now - before);
  if (moved === 0) return 0;
  return Math.min(count, Math.ceil((count * moved) / Math.max(moved, Math.abs(end - now))));
}

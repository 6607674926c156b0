/** The maximum size of a scrolled element in pixels: browsers draw nothing beyond about 17 or 33 million. */
const MAX_EXTENT = 10_000_000;

/** Rows, or columns, from `first` up to `end`. */
export interface Window {
  readonly first: number;
  readonly end: number;
}

/** Rows of equal size along one direction, in pixels, of which only some are visible. */
export interface Rows {
  readonly count: number;
  readonly size: number;
}

/** The maximum number of rows that touch a view of this length. */
export function windowLength({ count, size }: Rows, view: number): number {
  return Math.min(count, Math.ceil(view / size) + 1);
}

/**
 * The rows that a view touches. There are always `windowLength` rows, so that their elements can be reused in
 * a ring.
 */
export function windowAt(rows: Rows, view: number, offset: number): Window {
  const length = windowLength(rows, view);
  const first = Math.max(0, Math.min(rows.count - length, Math.floor(offset / rows.size)));
  return { first, end: first + length };
}

/** The nearest offset at which a row is completely visible. */
export function offsetShowing(rows: Rows, view: number, offset: number, row: number): number {
  const start = row * rows.size;
  if (start < offset) return start;
  // A row that is larger than the view is shown from its start.
  return Math.max(offset, Math.min(start, start + rows.size - view));
}

/**
 * The scroll offset of content in one direction. If the content is longer than a browser can scroll, the
 * scrollbar is scaled to all of it, and small moves scroll by pixels of the content.
 */
export class ScrollTrack {
  #content = 0;
  #view = 0;
  #offset = 0;
  /** The last position of the browser's scrollbar. */
  #bar = 0;

  /** The pixels of the content before the visible part. */
  get offset(): number {
    return this.#offset;
  }

  get view(): number {
    return this.#view;
  }

  /** The length of the scrolled element. */
  get extent(): number {
    return Math.max(this.#view, Math.min(this.#content, MAX_EXTENT));
  }

  /** True if the scrollbar is coarser than the content. */
  get isCoarse(): boolean {
    return this.#content > MAX_EXTENT;
  }

  /** The scrollbar position that matches the offset. */
  get bar(): number {
    return this.isCoarse ? (this.#offset / this.#most) * this.#maxBar : this.#offset;
  }

  resize(content: number, view: number): void {
    this.#content = content;
    this.#view = view;
    this.moveTo(this.#offset);
  }

  /** Moves the content. The caller then sets the scrollbar to `bar`. */
  moveTo(offset: number): void {
    this.#offset = Math.max(0, Math.min(this.#most, offset));
    this.#bar = this.bar;
  }

  /** Follows a move of the scrollbar. */
  followBar(bar: number): void {
    // The browser rounds a scrollbar position to whole screen pixels; that is no move.
    const moved = bar - this.#bar;
    if (Math.abs(moved) < 1 && bar > 0) return;
    this.#bar = bar;
    if (!this.isCoarse) this.#offset = Math.max(0, Math.min(this.#most, bar));
    else if (bar <= 0 || bar >= this.#maxBar - 1) this.#offset = bar <= 0 ? 0 : this.#most;
    else if (Math.abs(moved) <= this.#view)
      this.#offset = Math.max(0, Math.min(this.#most, this.#offset + moved));
    else this.#offset = (bar / this.#maxBar) * this.#most;
  }

  get #most(): number {
    return Math.max(0, this.#content - this.#view);
  }

  get #maxBar(): number {
    return Math.max(1, this.extent - this.#view);
  }
}

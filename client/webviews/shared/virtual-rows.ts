/** Pixels that a scrolled element may be high or wide: browsers draw nothing beyond some 17 or 33 million. */
const MOST_EXTENT = 10_000_000;

/** Rows, or columns, from `first` up to `end`. */
export interface Window {
  readonly first: number;
  readonly end: number;
}

/** Rows of one size along one direction, of which some are seen. Lengths are pixels. */
export interface Rows {
  readonly count: number;
  readonly size: number;
}

/** As many rows as ever touch a view of this length. */
export function windowLength({ count, size }: Rows, view: number): number {
  return Math.min(count, Math.ceil(view / size) + 1);
}

/** The rows that a view touches; always `windowLength` of them, so that their elements can be used again in a ring. */
export function windowAt(rows: Rows, view: number, offset: number): Window {
  const length = windowLength(rows, view);
  const first = Math.max(0, Math.min(rows.count - length, Math.floor(offset / rows.size)));
  return { first, end: first + length };
}

/** The nearest offset from which a row is seen whole. */
export function offsetShowing(rows: Rows, view: number, offset: number, row: number): number {
  const start = row * rows.size;
  if (start < offset) return start;
  // A row that is larger than the view is shown from its start.
  return Math.max(offset, Math.min(start, start + rows.size - view));
}

/**
 * Where content is scrolled to, in one direction. Content may be longer than a browser can scroll: then the scrollbar
 * stands for all of it, and small moves are made by pixels of the content.
 */
export class ScrollTrack {
  #content = 0;
  #view = 0;
  #offset = 0;
  /** Where the browser's scrollbar stood last. */
  #bar = 0;

  /** The pixels of the content before those seen. */
  get offset(): number {
    return this.#offset;
  }

  get view(): number {
    return this.#view;
  }

  /** The length that the scrolled element is given. */
  get extent(): number {
    return Math.max(this.#view, Math.min(this.#content, MOST_EXTENT));
  }

  /** True where the scrollbar is coarser than the content. */
  get isCoarse(): boolean {
    return this.#content > MOST_EXTENT;
  }

  /** Where the scrollbar belongs for the offset. */
  get bar(): number {
    return this.isCoarse ? (this.#offset / this.#most) * this.#mostBar : this.#offset;
  }

  resize(content: number, view: number): void {
    this.#content = content;
    this.#view = view;
    this.moveTo(this.#offset);
  }

  /** Moves the content; the scrollbar is to follow. */
  moveTo(offset: number): void {
    this.#offset = Math.max(0, Math.min(this.#most, offset));
    this.#bar = this.bar;
  }

  /** The scrollbar was moved. */
  followBar(bar: number): void {
    // A scrollbar that was set stands on a whole pixel of the screen: that is no move.
    const moved = bar - this.#bar;
    if (Math.abs(moved) < 1 && bar > 0) return;
    this.#bar = bar;
    if (!this.isCoarse) this.#offset = Math.max(0, Math.min(this.#most, bar));
    else if (bar <= 0 || bar >= this.#mostBar - 1) this.#offset = bar <= 0 ? 0 : this.#most;
    else if (Math.abs(moved) <= this.#view)
      this.#offset = Math.max(0, Math.min(this.#most, this.#offset + moved));
    else this.#offset = (bar / this.#mostBar) * this.#most;
  }

  get #most(): number {
    return Math.max(0, this.#content - this.#view);
  }

  get #mostBar(): number {
    return Math.max(1, this.extent - this.#view);
  }
}

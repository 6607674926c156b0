import { setAttribute } from './element.ts';
import { Scroller } from './scroller.ts';
import { draw, type View } from './view.ts';
import { offsetShowing, windowAt, type Rows, type Window } from './virtual-rows.ts';

/** The place of a row: the id of its element, and pixels from the top of the visible part. */
export interface RowPlace {
  readonly id: string;
  readonly index: number;
  readonly top: number;
}

interface ListOptions {
  /** The element that has the focus, and the element in it that contains the rows. */
  readonly port: HTMLElement;
  readonly layer: HTMLElement;
  /** The height of a row in pixels. */
  readonly height: number;
  /** The ids of rows begin with it. */
  readonly name: string;
  onScroll(): void;
  onResize(): void;
}

/** A scrolled list of rows of equal height. Only the visible ones are in the page, and their elements are reused. */
export class VirtualList {
  readonly #options: ListOptions;
  readonly scroller: Scroller;
  /** The number of rows. */
  count = 0;

  constructor(options: ListOptions) {
    this.#options = options;
    this.scroller = new Scroller(
      options.port,
      () => options.onScroll(),
      () => options.onResize(),
    );
  }

  get #rows(): Rows {
    return { count: this.count, size: this.#options.height };
  }

  /** The visible rows. */
  get window(): Window {
    const { down } = this.scroller;
    return windowAt(this.#rows, down.view, down.offset);
  }

  /** The number of rows that a page key moves. */
  get page(): number {
    return Math.max(1, Math.floor(this.scroller.down.view / this.#options.height) - 1);
  }

  /** The pixels from the top of the visible part to a row. */
  topOf(index: number): number {
    return index * this.#options.height - this.scroller.down.offset;
  }

  /**
   * Draws the visible rows. The row `current` has the cursor; it may be hidden, or -1 for none. Without it, the
   * caller says what has the cursor.
   */
  draw(build: (place: RowPlace) => View | undefined, current?: number): void {
    const { port, layer, name } = this.#options;
    const { first, end } = this.window;
    const idOf = (index: number): string => `${name}-${index % (end - first)}`;
    const built: (View | undefined)[] = [];
    for (let index = first; index < end; index++)
      built[index % (end - first)] = build({ id: idOf(index), index, top: this.topOf(index) });
    draw(layer, ...built);
    if (current === undefined) return;
    const isSeen = current >= first && current < end;
    setAttribute(port, 'aria-activedescendant', isSeen ? idOf(current) : '');
  }

  /** The index of the row under a pointer; it may be outside of the list. */
  indexUnder({ clientY }: { readonly clientY: number }): number {
    const { top } = this.#options.port.getBoundingClientRect();
    return Math.floor((clientY - top + this.scroller.down.offset) / this.#options.height);
  }

  /** Scrolls a row into view. */
  show(index: number): void {
    const { down } = this.scroller;
    this.scroller.moveTo({ top: offsetShowing(this.#rows, down.view, down.offset, index) });
  }

  /** Keeps a row at the top of the visible part, after rows before it have changed. */
  keepTop(index: number, rest: number): void {
    if (index >= 0) this.scroller.moveTo({ top: index * this.#options.height + rest });
  }
}

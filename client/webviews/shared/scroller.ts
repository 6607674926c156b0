import { element } from './element.ts';
import { ScrollTrack } from './virtual-rows.ts';

/** Pixels per line, if the wheel counts in lines. */
const LINE = 22;

/** Offsets in the content, in pixels. */
export interface ScrollPlace {
  readonly left?: number;
  readonly top?: number;
}

/**
 * Scrollbars for content of any size. The browser scrolls an empty element; the visible part is drawn in
 * `port`, which does not move, so no frame shows a part that is not drawn yet.
 */
export class Scroller {
  readonly across = new ScrollTrack();
  readonly down = new ScrollTrack();
  readonly root: HTMLElement;
  readonly #extent: HTMLElement;
  readonly #port: HTMLElement;
  readonly #onScroll: () => void;
  #width = 0;
  #height = 0;
  /** The positions of the scrollbars; undefined if they are unknown. */
  #bars: readonly [across: number, down: number] | undefined;

  /** `onResize` is called when the size of the port has changed, `onScroll` when the offsets have changed. */
  constructor(port: HTMLElement, onScroll: () => void, onResize: () => void) {
    this.#port = port;
    this.#onScroll = onScroll;
    port.classList.add('port');
    this.#extent = element('div', { class: 'extent' }, port);
    this.root = element('div', { class: 'scroller' }, this.#extent);
    this.root.addEventListener('scroll', () => this.#follow(), { passive: true });
    // Not passive: if the scrollbar is coarser than the content, this handler moves the content itself.
    this.root.addEventListener('wheel', event => this.#onWheel(event), { passive: false });
    new ResizeObserver(entries => {
      const box = entries.at(-1)?.contentRect;
      if (!box || (box.width === this.#width && box.height === this.#height)) return;
      this.#width = box.width;
      this.#height = box.height;
      // A hidden element has no scroll positions.
      this.#bars = undefined;
      onResize();
    }).observe(this.root);
  }

  /** The visible size. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#width, height: this.#height };
  }

  /** Sets the size of the content, and the size of the heads, the part of the port that does not scroll. */
  resize(
    content: { readonly width: number; readonly height: number },
    heads: { readonly width: number; readonly height: number },
  ): void {
    this.across.resize(content.width, Math.max(0, this.#width - heads.width));
    this.down.resize(content.height, Math.max(0, this.#height - heads.height));
    this.#extent.style.width = `${this.across.extent + heads.width}px`;
    this.#extent.style.height = `${this.down.extent + heads.height}px`;
    this.#port.style.width = `${this.#width}px`;
    this.#port.style.height = `${this.#height}px`;
    this.#setBars();
  }

  moveTo({ left, top }: ScrollPlace): void {
    const before = [this.across.offset, this.down.offset];
    if (left !== undefined) this.across.moveTo(left);
    if (top !== undefined) this.down.moveTo(top);
    if (before[0] === this.across.offset && before[1] === this.down.offset) return;
    this.#setBars();
    this.#onScroll();
  }

  /** Setting a scroll position forces a layout, even if the value is the same, so unchanged positions are skipped. */
  #setBars(): void {
    const [across, down] = [this.across.bar, this.down.bar];
    if (this.#bars?.[0] === across && this.#bars[1] === down) return;
    this.#bars = [across, down];
    this.root.scrollLeft = across;
    this.root.scrollTop = down;
  }

  #follow(): void {
    const { scrollLeft, scrollTop } = this.root;
    this.#bars = [scrollLeft, scrollTop];
    this.across.followBar(scrollLeft);
    this.down.followBar(scrollTop);
    this.#onScroll();
  }

  #onWheel(event: WheelEvent): void {
    if (event.ctrlKey || !(this.across.isCoarse || this.down.isCoarse)) return;
    event.preventDefault();
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    const down = event.shiftKey ? 0 : event.deltaY;
    const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE : this.#height;
    this.moveTo({ left: this.across.offset + across * unit, top: this.down.offset + down * unit });
  }
}

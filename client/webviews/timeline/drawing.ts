import { openDrawing, type ImageSize } from '../shared/canvas.ts';
import { element } from '../shared/element.ts';
import type { Palette } from './palette.ts';

/** Draws what a canvas shows, in pixels of the page, from its upper left. */
export type Paint<Content> = (
  context: CanvasRenderingContext2D,
  content: Content,
  size: ImageSize,
  palette: Palette,
) => void;

/** A canvas that is drawn anew of what is seen. The rows over it say the same in words. */
export class Drawing<Content> {
  readonly root: HTMLCanvasElement;
  readonly #paint: Paint<Content>;

  constructor(name: string, paint: Paint<Content>) {
    this.root = element('canvas', { class: name, attributes: { 'aria-hidden': 'true' } });
    this.#paint = paint;
  }

  /** Draws anew, in so many pixels of the page. */
  draw(content: Content, size: ImageSize, palette: Palette): void {
    const context = openDrawing(this.root, size);
    if (context) this.#paint(context, content, size, palette);
  }
}

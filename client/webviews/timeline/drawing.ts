import { openDrawing, type ImageSize } from '../shared/canvas.ts';
import { element } from '../shared/element.ts';
import type { Palette } from './palette.ts';

/** Draws the content of a canvas in page pixels, from its upper left corner. */
type Paint<Content> = (
  context: CanvasRenderingContext2D,
  content: Content,
  size: ImageSize,
  palette: Palette,
) => void;

/** A canvas that shows the visible content. The rows over it contain the same information as text. */
export class Drawing<Content> {
  readonly root: HTMLCanvasElement;
  readonly #paint: Paint<Content>;

  constructor(name: string, paint: Paint<Content>) {
    this.root = element('canvas', { class: name, attributes: { 'aria-hidden': 'true' } });
    this.#paint = paint;
  }

  /** Redraws the canvas in a size of page pixels. */
  draw(content: Content, size: ImageSize, palette: Palette): void {
    const context = openDrawing(this.root, size);
    if (context) this.#paint(context, content, size, palette);
  }
}

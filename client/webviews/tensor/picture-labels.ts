import type { Cell } from './axes.ts';
import { inkOn, pixelRatio } from '../shared/canvas.ts';
import { boxOf, spotAt, type PictureSize, type Viewport } from './picture-viewport.ts';

/** From this size in pixels of the page on, a cell holds its value. */
const ROOM = { width: 40, height: 14 } as const;
const FONT_SIZE = 11;
const MARGIN = 2;

/** What stands in cells, and what they were drawn as. */
export interface CellLabels {
  readonly size: PictureSize;
  readonly viewport: Viewport;
  /** The cells as they are drawn: each label takes the ink that is read on its cell. */
  readonly drawn: ImageData;
  readonly font: string;
  readonly label: (cell: Cell) => string;
}

/** Writes their values in the cells of a picture, where these are large enough. */
export function drawLabels(context: CanvasRenderingContext2D, labels: CellLabels): void {
  const { size, viewport, drawn } = labels;
  const first = spotAt(viewport, { x: 0, y: 0 }, size);
  if (!first || first.rows > 1 || first.columns > 1) return;
  const ratio = pixelRatio();
  const box = boxOf(viewport, first, size);
  if (box.width < ROOM.width * ratio || box.height < ROOM.height * ratio) return;
  context.font = `${FONT_SIZE * ratio}px ${labels.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let y = box.y, { row } = first; y < drawn.height && row < size.rows; y += box.height, row++) {
    for (
      let x = box.x, { column } = first;
      x < drawn.width && column < size.columns;
      x += box.width, column++
    ) {
      context.fillStyle = inkAt(drawn, Math.max(0, x), Math.max(0, y));
      const place = { x: x + box.width / 2, y: y + box.height / 2 };
      context.fillText(labels.label({ row, column }), place.x, place.y, box.width - 2 * MARGIN * ratio);
    }
  }
}

function inkAt({ data, width }: ImageData, x: number, y: number): string {
  const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4);
  return inkOn(red, green, blue);
}

import type { Rgb } from '../../../../tensor/colour-maps.ts';
import type { Cell } from '../axes.ts';
import { inkOn, pixelRatio } from '../../shared/canvas.ts';
import { boxOf, spotAt, type PictureSize, type Room, type Viewport } from './picture-viewport.ts';

/** The minimum size in page pixels of a cell that shows its value. */
const LEAST_CELL = { width: 40, height: 14 } as const;
const FONT_SIZE = 11;
const MARGIN = 2;

/** The input of drawing values in cells. */
export interface CellLabels {
  readonly size: PictureSize;
  readonly viewport: Viewport;
  /** The visible area. */
  readonly room: Room;
  /** The colour of a cell, from which the text colour is chosen. */
  readonly colourOf: (cell: Cell) => Rgb | undefined;
  readonly font: string;
  readonly label: (cell: Cell) => string;
}

/** Writes values into the cells of a picture if the cells are large enough. */
export function drawLabels(context: CanvasRenderingContext2D, labels: CellLabels): void {
  const { size, viewport, room } = labels;
  const first = spotAt(viewport, { x: 0, y: 0 }, size);
  if (!first || first.rows > 1 || first.columns > 1) return;
  const ratio = pixelRatio();
  const box = boxOf(viewport, first, size);
  if (box.width < LEAST_CELL.width * ratio || box.height < LEAST_CELL.height * ratio) return;
  context.font = `${FONT_SIZE * ratio}px ${labels.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let y = box.y, { row } = first; y < room.height && row < size.rows; y += box.height, row++) {
    for (
      let x = box.x, { column } = first;
      x < room.width && column < size.columns;
      x += box.width, column++
    ) {
      const colour = labels.colourOf({ row, column });
      if (!colour) continue;
      context.fillStyle = inkOn(...colour);
      const place = { x: x + box.width / 2, y: y + box.height / 2 };
      context.fillText(labels.label({ row, column }), place.x, place.y, box.width - 2 * MARGIN * ratio);
    }
  }
}

import type { ColourMapName } from '../../../tensor/colour-maps.ts';
import { paintCells, shrinkPlane, type ValueRange, type Plane } from '../../../tensor/heat-map.ts';
import type { NumberSource } from '../../../tensor/numbers.ts';
import { indexAt, type Cell } from './axes.ts';
import type { ImageSize } from '../shared/canvas.ts';
import { BLOCK_DETAIL, spansOf } from './picture-blocks.ts';
import type { Picture } from './picture-stage.ts';
import type { PicturePart } from './picture-tiles.ts';

/** A vector is drawn so many pixels wide. */
const LEAST_LENGTH = 32;

/** What a heat map shows, and how. */
export interface HeatMap {
  readonly numbers: NumberSource;
  readonly plane: Plane;
  readonly range: ValueRange;
  readonly colourMap: ColourMapName;
}

/** A heat map as a picture; `textOf` gives the text of an element by its index. */
export function heatPicture(map: HeatMap, textOf: (index: number) => string): Picture {
  const { rows, columns } = map.plane;
  return {
    size: { rows, columns, least: LEAST_LENGTH },
    hasAlpha: false,
    zoom: undefined,
    paint: part => paintHeat(map, part),
    label: (cell: Cell) => textOf(indexAt(map.plane, cell)),
  };
}

/** Paints a part of a heat map as RGBA: a pixel has the colour of the mean of its block, and each block is what it is in the whole. */
export function paintHeat(map: HeatMap, part: PicturePart): Uint8ClampedArray {
  const size = {
    width: Math.ceil(part.columns / part.blockColumns),
    height: Math.ceil(part.rows / part.blockRows),
  };
  const isLined = part.blockRows * part.blockColumns === 1 && map.plane.columnStride === 1;
  const values = isLined ? readLines(map, part) : readBlocks(map, part, size);
  const cells = {
    rows: size.height,
    columns: size.width,
    values,
    count: values.length,
    looked: values.length,
  };
  return paintCells(cells, size, map.range, map.colourMap).rgba;
}

/** Cells that are elements, side by side in the tensor: most of what one moves over is read this way. */
function readLines({ numbers, plane }: HeatMap, { row, column, rows, columns }: PicturePart): Float64Array {
  const values = new Float64Array(rows * columns);
  for (let line = 0; line < rows; line++) {
    const from = indexAt(plane, { row: row + line, column });
    numbers.read(from, from + columns, values.subarray(line * columns));
  }
  return values;
}

function readBlocks(
  { numbers, plane }: HeatMap,
  part: PicturePart,
  { width, height }: ImageSize,
): Float64Array {
  const values = new Float64Array(width * height);
  for (const down of spansOf(part.rows, part.blockRows)) {
    for (const across of spansOf(part.columns, part.blockColumns)) {
      const offset = indexAt(plane, { row: part.row + down.from, column: part.column + across.from });
      const window = { ...plane, rows: down.size, columns: across.size, offset };
      const shrunk = shrinkPlane(
        numbers,
        window,
        { width: across.blocks, height: down.blocks },
        BLOCK_DETAIL,
      );
      for (let row = 0; row < down.blocks; row++) {
        const line = shrunk.values.subarray(row * across.blocks, (row + 1) * across.blocks);
        values.set(line, (down.block + row) * width + across.block);
      }
    }
  }
  return values;
}

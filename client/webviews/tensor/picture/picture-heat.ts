import type { ColourMapName } from '../../../../tensor/colour-maps.ts';
import {
  cutPlane,
  paintCells,
  shrinkPlane,
  type Plane,
  type PlaneWindow,
  type ValueRange,
} from '../../../../tensor/heat-map.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { indexAt, type Cell } from '../axes.ts';
import type { ImageSize } from '../../shared/canvas.ts';
import { BLOCK_DETAIL } from './picture-paint.ts';
import type { Picture } from './picture-stage.ts';

/** The width of a drawn vector in pixels. */
const LEAST_LENGTH = 32;

/** The input of a heat map. */
export interface HeatMap {
  readonly numbers: NumberSource;
  readonly plane: Plane;
  readonly range: ValueRange;
  readonly colourMap: ColourMapName;
}

/** A heat map as a picture. `textOf` returns the text of an element by its index. */
export function heatPicture(map: HeatMap, textOf: (index: number) => string): Picture {
  const { rows, columns } = map.plane;
  return {
    size: { rows, columns, least: LEAST_LENGTH },
    hasAlpha: false,
    zoom: undefined,
    paint: (window, size) => paintHeat(map, window, size),
    label: (cell: Cell) => textOf(indexAt(map.plane, cell)),
  };
}

/** Paints a part of a heat map as RGBA. Each pixel has the colour of the mean of its block. */
export function paintHeat(
  { numbers, plane, range, colourMap }: HeatMap,
  window: PlaneWindow,
  size: ImageSize,
): Uint8ClampedArray {
  const cells = shrinkPlane(numbers, cutPlane(plane, window), size, BLOCK_DETAIL);
  return paintCells(cells, size, range, colourMap).rgba;
}

import {
  COLOUR_STEPS,
  colourTable,
  SPECIAL_COLOURS,
  type ColourMapName,
} from '../../../../tensor/colour-maps.ts';
import { shortNumber } from '../../../../tensor/describe-number.ts';
import type { ValueRange } from '../../../../tensor/heat-map.ts';
import type { Statistics } from '../../../../tensor/statistics.ts';
import { element } from '../../shared/element.ts';
import { draw, h } from '../../shared/view.ts';
import { contextOf } from '../../shared/canvas.ts';

/** The counts of NaN and infinities. */
type SpecialCounts = Pick<Statistics, 'nan' | 'positiveInfinity' | 'negativeInfinity'>;

/** The values with a fixed colour, with their labels. */
const SPECIAL = [
  { word: 'NaN', colour: SPECIAL_COLOURS.nan, count: (of: SpecialCounts) => of.nan },
  {
    word: 'Inf',
    colour: SPECIAL_COLOURS.positiveInfinity,
    count: (of: SpecialCounts) => of.positiveInfinity,
  },
  {
    word: '−Inf',
    colour: SPECIAL_COLOURS.negativeInfinity,
    count: (of: SpecialCounts) => of.negativeInfinity,
  },
] as const;

/** A legend: the colour scale with its values, and the colours of NaN and infinities. */
export class ColourBar {
  readonly #canvas = element('canvas', { attributes: { 'aria-hidden': 'true' } });
  readonly #ends = element('div', { class: 'ends' });
  readonly #special = element('span', { class: 'special' });
  #drawn: ColourMapName | undefined;

  readonly root = element(
    'div',
    { class: 'colour-bar' },
    element(
      'div',
      { class: 'scale', role: 'group', attributes: { 'aria-label': 'Colours and their values' } },
      this.#canvas,
      this.#ends,
    ),
    this.#special,
  );

  /** Shows a range in the colours of a map. `counts` determine which special colours are listed. */
  show(range: ValueRange, colourMap: ColourMapName, counts: SpecialCounts | undefined): void {
    const values = [range.min, range.min / 2 + range.max / 2, range.max];
    draw(this.#ends, ...values.map(value => h('span', { class: 'number' }, shortNumber(value))));
    const found = SPECIAL.filter(({ count }) => counts && count(counts) > 0);
    const swatches = found.map(({ word, colour }) => {
      const style = `background-color: rgb(${colour.join(', ')})`;
      return h('span', { class: 'field' }, h('span', { class: 'swatch', 'aria-hidden': true, style }), word);
    });
    draw(this.#special, ...swatches);
    if (this.#drawn === colourMap) return;
    this.#drawn = colourMap;
    this.#draw(colourTable(colourMap));
  }

  #draw(table: Uint8ClampedArray): void {
    this.#canvas.width = COLOUR_STEPS;
    this.#canvas.height = 1;
    const context = contextOf(this.#canvas);
    const image = context?.createImageData(COLOUR_STEPS, 1);
    if (!context || !image) return;
    for (let step = 0; step < COLOUR_STEPS; step++) {
      image.data.set(table.subarray(step * 3, step * 3 + 3), step * 4);
      image.data[step * 4 + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }
}

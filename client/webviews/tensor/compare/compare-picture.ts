import { shortNumber } from '../../../../tensor/describe-number.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { countOf } from '../../../../core/text/count.ts';
import { element, setText } from '../../shared/element.ts';
import { cellOf, indexAt, sliceTo, type Cell } from '../axes.ts';
import { readBoth, showPlace } from './compare-facts.ts';
import type { Findings } from './compare-work.ts';
import { ColourBar } from '../picture/picture-bar.ts';
import { heatPicture } from '../picture/picture-heat.ts';
import { ReadoutLine } from '../picture/picture-readout-line.ts';
import { describeBlock } from '../picture/picture-readout.ts';
import { PictureStage, type Picture } from '../picture/picture-stage.ts';
import { ZoomButtons } from '../picture/picture-tools.ts';
import { draw, h } from '../../shared/view.ts';
import { describeZoom, type Spot } from '../picture/picture-viewport.ts';
import { describeHeat, describeShrunk } from '../picture/picture-words.ts';
import type { Shown } from '../view.ts';

/** A colour map whose middle is 0. */
const MAP = 'diverging';

/** A picture of the differences of two tensors on the chosen plane, with a range symmetric about 0. */
export class DifferencePicture {
  readonly #onSelect: (index: number) => void;
  readonly #stage = new PictureStage('differences', {
    onSelect: cell => this.#select(cell),
    onPoint: spot => this.#point(spot),
    onView: () => this.#viewed(),
  });
  /** The zoom buttons, for the line above the picture. */
  readonly tools = element('div', {});
  readonly #bar = new ColourBar();
  readonly #readout = new ReadoutLine();
  readonly #caption = element('p', { class: 'caption muted' });
  #findings: Findings | undefined;
  #place: DifferencePlace | undefined;
  #painted: { readonly of: Findings; readonly plane: Shown['plane']; readonly picture: Picture } | undefined;
  #words = '';
  #spot: Spot | undefined;

  readonly root = element(
    'div',
    { class: 'picture-frame' },
    this.#stage.root,
    element('div', { class: 'legend' }, this.#bar.root, this.#readout.root, this.#caption),
  );

  constructor(onSelect: (index: number) => void) {
    this.#onSelect = onSelect;
  }

  show(findings: Findings, place: DifferencePlace): void {
    const { compared, comparison, differences, histogram } = findings;
    const { plane, slicing, selected } = place;
    const { shape } = compared.one;
    const most = comparison.maxAbsolute?.value ?? 0;
    const range = { min: -most, max: most };
    const was = this.#painted;
    const picture =
      was?.of === findings && was.plane === plane
        ? was.picture
        : heatPicture({ numbers: differences, plane, range, colourMap: MAP }, index =>
            shortNumber(numberAt(differences, index)),
          );
    this.#painted = { of: findings, plane, picture };
    this.#findings = findings;
    this.#place = place;
    this.#words = `${describeHeat({ shape, plane, slicing, range, colourMap: MAP })}; ${countOf(comparison.different, 'difference')} in the whole tensor`;
    this.#bar.show(range, MAP, histogram);
    const isHere = selected !== undefined && sliceTo(shape, slicing, selected) === slicing;
    const cell = isHere ? cellOf(shape, slicing, selected) : undefined;
    this.#stage.show(picture, { selected: cell, text: this.#words });
    this.#readout.select(isHere ? this.#textOf(selected) : '');
    this.#readout.point(() => this.#readPointed());
    this.#viewed();
  }

  hide(): void {
    this.#stage.hide();
  }

  #viewed(): void {
    const zoom = describeZoom(this.#stage.viewport.zoom);
    draw(this.tools, h(ZoomButtons, { zoom, onZoom: to => this.#stage.zoom(to) }));
    setText(this.#caption, `${this.#words}${describeShrunk(this.#stage.block)}.`);
  }

  #select(cell: Cell): void {
    if (this.#place) this.#onSelect(indexAt(this.#place.plane, cell));
  }

  #point(spot: Spot | undefined): void {
    this.#spot = spot;
    this.#readout.point(() => this.#readPointed());
  }

  #readPointed(): string {
    const spot = this.#spot;
    return spot && this.#place
      ? `${this.#textOf(indexAt(this.#place.plane, spot))}${describeBlock(spot)}`
      : '';
  }

  /** Describes a cell: `[7, 31] 0.5 and 0.25, difference 0.25`. */
  #textOf(index: number): string {
    if (!this.#findings) return '';
    const { compared, differences } = this.#findings;
    const difference = String(numberAt(differences, index)).replace('-', '−');
    return `${showPlace(compared.one.shape, index)} ${readBoth(compared, index)}, difference ${difference}`;
  }
}

/** The visible part of both tensors. */
export type DifferencePlace = Pick<Shown, 'plane' | 'slicing' | 'selected'>;

function numberAt(numbers: NumberSource, index: number): number {
  const one = new Float64Array(1);
  numbers.read(index, index + 1, one);
  return one[0] ?? Number.NaN;
}

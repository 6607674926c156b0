import { shortNumber } from '../../../../tensor/describe-number.ts';
import type { NumberSource } from '../../../../tensor/numbers.ts';
import { countOf } from '../../../../core/text/count.ts';
import { element } from '../../shared/element.ts';
import { draw, h } from '../../shared/view.ts';
import { cellOf, indexAt, sliceTo } from '../axes.ts';
import { readBoth, showPlace } from './compare-facts.ts';
import type { Findings } from './compare-work.ts';
import { PictureFrame } from '../picture/picture-frame.ts';
import { heatPicture } from '../picture/picture-heat.ts';
import type { Picture } from '../picture/picture-stage.ts';
import { ZoomButtons } from '../picture/picture-tools.ts';
import { describeHeat } from '../picture/picture-words.ts';
import type { Shown } from '../view.ts';

/** A colour map whose middle is 0. */
const MAP = 'diverging';

/** A picture of the differences of two tensors on the chosen plane, with a range symmetric about 0. */
export class DifferencePicture {
  readonly #frame: PictureFrame;
  /** The zoom buttons, for the line above the picture. */
  readonly tools = element('div', {});
  #findings: Findings | undefined;
  #place: DifferencePlace | undefined;
  #painted: { readonly of: Findings; readonly plane: Shown['plane']; readonly picture: Picture } | undefined;

  constructor(onSelect: (index: number) => void) {
    this.#frame = new PictureFrame('differences', {
      onSelect: cell => this.#place && onSelect(indexAt(this.#place.plane, cell)),
      read: cell => (this.#place ? this.#textOf(indexAt(this.#place.plane, cell)) : ''),
      onView: () => this.#drawTools(),
    });
  }

  get root(): HTMLElement {
    return this.#frame.root;
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
    const heat = describeHeat({ shape, plane, slicing, range, colourMap: MAP });
    const text = `${heat}; ${countOf(comparison.different, 'difference')} in the whole tensor`;
    this.#frame.bar.show(range, MAP, histogram);
    const isHere = selected !== undefined && sliceTo(shape, slicing, selected) === slicing;
    const cell = isHere ? cellOf(shape, slicing, selected) : undefined;
    this.#frame.show(picture, { selected: cell, text }, isHere ? this.#textOf(selected) : '');
  }

  hide(): void {
    this.#frame.stage.hide();
  }

  #drawTools(): void {
    const { zoom, stage } = this.#frame;
    draw(this.tools, h(ZoomButtons, { zoom, onZoom: to => stage.zoom(to) }));
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

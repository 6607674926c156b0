import './picture.css';
import type { ValueRange } from '../../../../tensor/heat-map.ts';
import { guessLayout, listLayouts, type ImageLayout } from '../../../../tensor/image-layout.ts';
import { imageScale } from '../../../../tensor/image.ts';
import { quantileSteps } from '../../../../tensor/quantiles.ts';
import { element } from '../../shared/element.ts';
import { cellOf, indexAt, sliceTo, type Cell } from '../axes.ts';
import { cellReader } from '../grid/cells.ts';
import { PictureFrame } from './picture-frame.ts';
import { heatPicture } from './picture-heat.ts';
import { channelIndices, imageAt, imagePicture, pixelOf, type ShownImage } from './picture-image.ts';
import { chooseRange, CLIPPED_SHARES, fullRange, parseRange } from './picture-range.ts';
import { readCell, readPixel } from './picture-readout.ts';
import type { Picture } from './picture-stage.ts';
import { PictureTools, readColours, type ColourChoice } from './picture-tools.ts';
import { parseViewport, printViewport } from './picture-viewport.ts';
import { describeHeat, describeShownImage } from './picture-words.ts';
import type { SelectOption } from '../../shared/buttons.ts';
import { h, type View } from '../../shared/view.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import type { InspectorActions, InspectorView, Shown } from '../view.ts';

/** The stored choice for a heat map instead of an image layout. */
const HEAT = 'heat';

/** Shows the chosen plane as a heat map, or the tensor as an image. */
export class PictureView implements InspectorView {
  readonly name = 'picture';
  readonly title = 'Picture';
  readonly #actions: InspectorActions;
  readonly #frame = new PictureFrame('picture', {
    onSelect: cell => this.#select(cell),
    read: cell => this.#readCell(cell),
    onView: () => this.#viewed(),
  });
  readonly #empty = element('p', { class: 'empty' }, 'This tensor has no elements, so there is no picture.');
  readonly root = element('section', { class: 'view picture-view stack' }, this.#frame.root, this.#empty);
  #shown: Shown | undefined;
  #image: ShownImage | undefined;
  #painted: { readonly inputs: readonly unknown[]; readonly picture: Picture } | undefined;
  #clipped: { readonly of: Shown['numbers']; readonly range: ValueRange } | undefined;
  #clipping: { readonly of: Shown['numbers']; readonly work: SlicedWork } | undefined;

  constructor(actions: InspectorActions) {
    this.#actions = actions;
  }

  /** True for an image without further axes, which shows the whole tensor. */
  get showsAllAxes(): boolean {
    if (!this.#image) return false;
    const { shape, layout } = this.#image;
    const seen = [layout.rows, layout.columns, layout.channels];
    return shape.every((size, axis) => size === 1 || seen.includes(axis));
  }

  show(shown: Shown): void {
    if (this.#shown?.subject.id !== shown.subject.id) this.#begin(shown);
    this.#shown = shown;
    this.#draw(shown);
  }

  tools(shown: Shown): View | undefined {
    if (shown.selected === undefined) return undefined;
    const { found, options } = this.#chooseLayout(shown);
    return h(PictureTools, {
      options,
      shownAs: found?.name ?? HEAT,
      onShowAs: as => this.#choose({ as }),
      kind: found ? 'image' : 'heat map',
      colours: this.#colours(shown),
      onColours: colours => this.#choose({ ...colours }),
      zoom: this.#frame.zoom,
      onZoom: to => this.#frame.stage.zoom(to),
    });
  }

  #colours({ statistics }: Shown): ColourChoice {
    return readColours(name => this.#actions.stored(`picture.${name}`), fullRange(statistics));
  }

  hide(): void {
    this.#clipping?.work.stop();
    this.#clipping = undefined;
    this.#frame.stage.hide();
  }

  /** Prepares for another subject, with its saved view if there is one. */
  #begin({ subject }: Shown): void {
    this.#clipped = undefined;
    this.#painted = undefined;
    const [id, viewport = ''] = (this.#actions.stored('picture.view') ?? '').split('\n');
    this.#frame.stage.begin(id === subject.id ? parseViewport(viewport) : undefined);
  }

  #draw(shown: Shown): void {
    const isEmpty = shown.selected === undefined;
    this.#empty.hidden = !isEmpty;
    this.#frame.root.hidden = isEmpty;
    this.#image = undefined;
    if (isEmpty) return;
    const layout = this.#chooseLayout(shown).found;
    this.#frame.bar.root.hidden = layout !== undefined;
    if (layout) this.#drawImage(shown, layout);
    else this.#drawHeat(shown);
  }

  #chooseLayout({ tensor, statistics }: Shown): {
    readonly found: ImageLayout | undefined;
    readonly options: readonly SelectOption[];
  } {
    const layouts = listLayouts(tensor.shape, tensor.dtype);
    const stored = this.#actions.stored('picture.as');
    const guess = guessLayout(tensor.shape, tensor.dtype, fullRange(statistics));
    const layout = stored === HEAT ? undefined : layouts.find(({ name }) => name === (stored ?? guess?.name));
    const found = layout ?? (stored === HEAT ? undefined : layouts.find(({ name }) => name === guess?.name));
    const options = [
      { value: HEAT, label: 'Heat map' },
      ...layouts.map(({ name, colours }) => ({ value: name, label: `Image, ${colours} (${name})` })),
    ];
    return { found, options };
  }

  #drawHeat(shown: Shown): void {
    const { tensor, numbers, plane, slicing, statistics, selected } = shown;
    const full = fullRange(statistics);
    const { map, range: choice, low, high } = this.#colours(shown);
    if (choice === 'clipped') this.#clip(shown);
    const typed = parseRange(low, high);
    const known = { full, clipped: this.#clipped?.range, own: typed.ok ? typed.range : undefined };
    const range = chooseRange(choice, known) ?? { min: 0, max: 0 };
    this.#frame.bar.show(range, map, statistics);
    const picture = this.#paint([HEAT, numbers, plane, range.min, range.max, map], () => {
      const read = cellReader(tensor, 'short');
      return heatPicture({ numbers, plane, range, colourMap: map }, index => read(index).text);
    });
    const text = describeHeat({ shape: tensor.shape, plane, slicing, range, colourMap: map });
    const isHere = selected !== undefined && sliceTo(tensor.shape, slicing, selected) === slicing;
    const cell = isHere ? cellOf(tensor.shape, slicing, selected) : undefined;
    // The value line below shows the selection.
    this.#frame.show(picture, { selected: cell, text }, '');
  }

  #drawImage({ tensor, numbers, slicing, selected, statistics }: Shown, layout: ImageLayout): void {
    const at = imageAt(tensor.shape, slicing, selected);
    const scale = imageScale(tensor.dtype, fullRange(statistics));
    const image: ShownImage = { numbers, shape: tensor.shape, layout, at, scale };
    const others = at.filter((_, axis) => ![layout.rows, layout.columns, layout.channels].includes(axis));
    const inputs = [layout.name, numbers, tensor.shape, others.join(), scale.min, scale.max];
    const picture = this.#paint(inputs, () => {
      const read = cellReader(tensor, 'short');
      return imagePicture(image, index => read(index).text);
    });
    this.#image = image;
    const cell = selected === undefined ? undefined : pixelOf(image, selected);
    const selection = cell && layout.channels !== undefined ? readPixel(tensor, image, cell) : '';
    this.#frame.show(picture, { selected: cell, text: describeShownImage(image) }, selection);
  }

  /** Reuses the picture if the inputs are the same, so that nothing is painted again. */
  #paint(inputs: readonly unknown[], make: () => Picture): Picture {
    const was = this.#painted;
    if (was && was.inputs.length === inputs.length && was.inputs.every((input, at) => input === inputs[at]))
      return was.picture;
    const picture = make();
    this.#painted = { inputs, picture };
    return picture;
  }

  /** Computes the clipped range. Until then the full range, or that of the previous text, is shown. */
  #clip({ numbers }: Shown): void {
    if (this.#clipped?.of === numbers || this.#clipping?.of === numbers) return;
    this.#clipping?.work.stop();
    const work = runInSlices(quantileSteps(numbers, CLIPPED_SHARES), {
      onEnd: ({ values: [min = 0, max = 0] }) => {
        this.#clipping = undefined;
        if (Number.isFinite(min) && Number.isFinite(max))
          this.#clipped = { of: numbers, range: { min, max } };
        if (this.#shown) this.#draw(this.#shown);
      },
    });
    this.#clipping = { of: numbers, work };
  }

  #choose(choices: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(choices)) this.#actions.keep(`picture.${name}`, value);
    if (this.#shown) this.#draw(this.#shown);
  }

  #viewed(): void {
    this.#actions.toolsChanged();
    const { chosen } = this.#frame.stage;
    if (!this.#shown) return;
    this.#actions.keep('picture.view', chosen ? `${this.#shown.subject.id}\n${printViewport(chosen)}` : '');
  }

  #select(cell: Cell): void {
    const shown = this.#shown;
    if (!shown) return;
    if (!this.#image) return this.#actions.select(indexAt(shown.plane, cell));
    // Keeps the selected channel.
    const { channel } = (shown.selected !== undefined && pixelOf(this.#image, shown.selected)) || {
      channel: 0,
    };
    const index = channelIndices(this.#image, cell)[channel];
    if (index !== undefined) this.#actions.select(index);
  }

  #readCell(cell: Cell): string {
    if (!this.#shown) return '';
    const { tensor, plane } = this.#shown;
    return this.#image ? readPixel(tensor, this.#image, cell) : readCell(tensor, plane, cell);
  }
}

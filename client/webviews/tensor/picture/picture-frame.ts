import { element, setText } from '../../shared/element.ts';
import { ColourBar } from './picture-bar.ts';
import { ReadoutLine } from './picture-readout-line.ts';
import { describeBlock } from './picture-readout.ts';
import { PictureStage, type Picture, type StageState } from './picture-stage.ts';
import { describeZoom, type Spot } from './picture-viewport.ts';
import { describeShrunk } from './picture-words.ts';
import type { Cell } from '../axes.ts';

/** Callbacks of a frame to its view. */
export interface FrameHost {
  onSelect(cell: Cell): void;
  /** The indices and values of a cell. */
  read(cell: Cell): string;
  /** The zoom or the position has changed. */
  onView(): void;
}

/** A picture with a legend below it: colours, the values of the selection and the pointer, and a description. */
export class PictureFrame {
  readonly #host: FrameHost;
  readonly stage: PictureStage;
  readonly bar = new ColourBar();
  readonly #readout = new ReadoutLine();
  readonly #caption = element('p', { class: 'caption muted' });
  readonly root: HTMLElement;
  #words = '';
  #spot: Spot | undefined;

  /** `name` is the class of the canvas. */
  constructor(name: 'picture' | 'differences', host: FrameHost) {
    this.#host = host;
    this.stage = new PictureStage(name, {
      onSelect: cell => host.onSelect(cell),
      onPoint: spot => {
        this.#spot = spot;
        this.#point();
      },
      onView: () => this.#viewed(),
    });
    const legend = element('div', { class: 'legend' }, this.bar.root, this.#readout.root, this.#caption);
    this.root = element('div', { class: 'picture-frame stack' }, this.stage.root, legend);
  }

  /** The zoom in words. */
  get zoom(): string {
    return describeZoom(this.stage.viewport.zoom);
  }

  /** Shows a picture. `selection` describes the selected cell; it is empty if that is shown elsewhere. */
  show(picture: Picture, state: StageState, selection: string): void {
    this.#words = state.text;
    this.stage.show(picture, state);
    this.#readout.select(selection);
    this.#point();
    this.#viewed();
  }

  /** Shows a caption with the picture's text alternative and the effect of the zoom. */
  #viewed(): void {
    setText(this.#caption, `${this.#words}${describeShrunk(this.stage.block)}.`);
    this.#host.onView();
  }

  #point(): void {
    this.#readout.point(() => {
      const spot = this.#spot;
      return spot ? `${this.#host.read(spot)}${describeBlock(spot)}` : '';
    });
  }
}

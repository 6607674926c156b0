import { numpyLiteral } from '../../../../tensor/numpy-literal.ts';
import { countOf } from '../../../../core/text/count.ts';
import type { MenuItem } from '../../shared/menu.ts';
import { copyCells, copyProblem, cutRectangle } from './grid-copy.ts';
import { countCells, type Rectangle } from './grid-range.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import { exactText } from '../value-line.ts';
import type { Shown } from '../view.ts';

/** The services of the page that copying uses. */
export interface CopyHost {
  shown(): Shown | undefined;
  /** The selected cells of the grid. */
  rectangle(): Rectangle;
  copy(text: string): void;
  /** Shows the progress, and what was copied. */
  say(words: string): void;
}

/** Copies exact values to the clipboard. Large selections are formatted between frames. */
export class Copier {
  readonly #host: CopyHost;
  #work: SlicedWork | undefined;

  constructor(host: CopyHost) {
    this.#host = host;
  }

  /** The items of the Copy menu. */
  get items(): readonly MenuItem[] {
    const shown = this.#host.shown();
    const isEmpty = shown?.selected === undefined ? { disabled: 'The tensor has no elements' } : {};
    return [
      { label: 'Value', onChoose: () => this.#copyValue(), ...isEmpty },
      { label: 'Selected cells', onChoose: () => this.copyCells(), ...isEmpty },
      { label: 'Selected cells as NumPy literal', onChoose: () => this.#copyLiteral(), ...isEmpty },
    ];
  }

  copyCells(): void {
    this.#copyRectangle(undefined, ({ tensor, plane }, rectangle) => {
      this.#work = runInSlices(copyCells(tensor, plane, rectangle), {
        onProgress: share => this.#host.say(`Copying… ${Math.floor(share * 100)} %`),
        onEnd: text => this.#copied(text, countCells(rectangle)),
      });
    });
  }

  #copyValue(): void {
    const shown = this.#host.shown();
    if (shown?.selected === undefined) return;
    this.stop();
    this.#copied(exactText(shown.tensor, shown.selected), 1);
  }

  #copyLiteral(): void {
    this.#copyRectangle(MAX_LITERAL, ({ tensor, plane }, rectangle) => {
      const literal = numpyLiteral(cutRectangle(tensor, plane, rectangle));
      if (literal.kind === 'fault') this.#host.say(literal.problem);
      else this.#copied(literal.text, countCells(rectangle));
    });
  }

  #copyRectangle(most: number | undefined, copy: (shown: Shown, rectangle: Rectangle) => void): void {
    const shown = this.#host.shown();
    if (shown?.selected === undefined) return;
    this.stop();
    const rectangle = this.#host.rectangle();
    const problem = copyProblem(rectangle, most);
    if (problem === undefined) copy(shown, rectangle);
    else this.#host.say(problem);
  }

  /** Cancels an unfinished copy; the clipboard stays unchanged. */
  stop(): void {
    this.#work?.stop();
    this.#work = undefined;
  }

  #copied(text: string, count: number): void {
    this.#host.copy(text);
    this.#host.say(`${countOf(count, 'value')} copied`);
  }
}

/** The maximum number of values of a NumPy literal, which is written in one step. */
const MAX_LITERAL = 50_000;

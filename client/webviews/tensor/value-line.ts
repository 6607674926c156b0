import { bitsOf, readElement, showElement } from '../../../protocol/src/tensor/elements.ts';
import { elementSize, placeOf, type Tensor } from '../../../protocol/src/tensor/tensor.ts';
import { countOf, showCount } from '../../../protocol/src/text/count.ts';
import { element, setText } from '../shared/element.ts';
import { countCells, type Rectangle } from './grid-range.ts';
import type { Shown } from './view.ts';

/** What the line asks of the page. */
export interface ValueLineHost {
  /** Writes a value; the answer says what is wrong with it, undefined where it was sent. */
  write(index: number, text: string): string | undefined;
}

/** The selected element in full: its place, its exact value, its bits, and where its bytes are. */
export class ValueLine {
  readonly #host: ValueLineHost;
  readonly #place = element('span', { class: 'number' });
  readonly #value = element('input', {
    class: 'value',
    attributes: { type: 'text', 'aria-label': 'Exact value', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #bits = element('span', { class: 'code', attributes: { 'aria-label': 'Bits' } });
  readonly #offset = element('span', { class: 'muted number' });
  readonly #selection = element('span', { class: 'muted number' });
  readonly #said = element('span', { class: 'muted', role: 'status' });
  readonly #problem = element('span', { class: 'problem', role: 'alert' });
  #shown: Shown | undefined;

  readonly root = element(
    'div',
    { class: 'value-line', role: 'group', attributes: { 'aria-label': 'Selected element' } },
    this.#place,
    this.#value,
    this.#problem,
    this.#bits,
    this.#offset,
    this.#selection,
    this.#said,
  );

  constructor(host: ValueLineHost) {
    this.#host = host;
    this.#problem.hidden = true;
    this.#value.addEventListener('keydown', event => this.#onKey(event));
    this.#value.addEventListener('blur', () => this.#giveUp());
  }

  update(shown: Shown, rectangle: Rectangle | undefined): void {
    const isOther = this.#shown?.tensor !== shown.tensor || this.#shown.selected !== shown.selected;
    this.#shown = shown;
    const { tensor, selected, subject } = shown;
    this.#value.readOnly = !subject.canEdit;
    for (const part of [this.#value, this.#bits]) part.hidden = selected === undefined;
    const count = rectangle ? countCells(rectangle) : 1;
    setText(this.#selection, count > 1 ? `${countOf(count, 'cell')} selected` : '');
    if (selected === undefined) {
      setText(this.#place, 'No elements');
      setText(this.#offset, '');
      return;
    }
    if (isOther) this.#giveUp();
    if (isOther) this.say('');
    setText(this.#place, `[${placeOf(tensor.shape, selected).join(', ')}]`);
    setText(this.#bits, bitsOf(tensor, selected));
    setText(this.#offset, describeOffset(tensor, selected));
  }

  /** Goes to the input, the value marked, where it can be changed. */
  edit(): void {
    this.#value.focus();
    this.#value.select();
  }

  /** Says what became of a copy, until the selection moves. */
  say(words: string): void {
    setText(this.#said, words);
  }

  /** Says why a value was not taken. */
  refuse(problem: string): void {
    setText(this.#problem, problem);
    this.#problem.hidden = problem === '';
    this.#value.ariaInvalid = String(problem !== '');
  }

  #giveUp(): void {
    if (this.#shown?.selected !== undefined)
      this.#value.value = exactText(this.#shown.tensor, this.#shown.selected);
    this.refuse('');
  }

  #onKey(event: KeyboardEvent): void {
    const selected = this.#shown?.selected;
    if (event.key === 'Escape') this.#giveUp();
    if (event.key !== 'Enter' || selected === undefined || this.#value.readOnly) return;
    event.preventDefault();
    this.refuse(this.#host.write(selected, this.#value.value) ?? '');
  }
}

/** An element as it reads back to the same bits, but for those of a NaN. */
export function exactText(tensor: Tensor, index: number): string {
  return showElement(tensor.dtype, readElement(tensor, index));
}

function describeOffset(tensor: Tensor, index: number): string {
  const size = elementSize(tensor.dtype);
  return `byte ${showCount(index * size)}${size === 1 ? '' : ` to ${showCount(index * size + size - 1)}`}`;
}

import { findDtype, type DtypeName } from '../../../core/catalog/dtypes.ts';
import { bitsOf, readElement, showElement, type Element } from '../../../tensor/elements.ts';
import { elementSize, placeOf, type Tensor } from '../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { exactDecimal, isSameDecimal, readDecimal, showDecimal } from '../../../core/text/exact-decimal.ts';
import { element, setText } from '../shared/element.ts';
import { countCells, type Rectangle } from './grid/grid-range.ts';
import type { Shown } from './view.ts';

/** The services of the page that the line uses. */
export interface ValueLineHost {
  /** Writes a value. Returns the problem, or undefined if it was sent. */
  write(index: number, text: string): string | undefined;
}

/** Shows the selected element in full: indices, exact value, bits, and byte offsets. */
export class ValueLine {
  readonly #host: ValueLineHost;
  readonly #place = element('span', { class: 'number' });
  readonly #value = element('input', {
    class: 'value number',
    attributes: { type: 'text', 'aria-label': 'Value', spellcheck: 'false', autocomplete: 'off' },
  });
  readonly #exact = element('span', { class: 'exact muted number clip' });
  readonly #bits = element('span', { class: 'code', attributes: { 'aria-label': 'Bits' } });
  readonly #offset = element('span', { class: 'muted number' });
  readonly #selection = element('span', { class: 'muted number' });
  readonly #announced = element('span', { class: 'muted', role: 'status' });
  readonly #problem = element('span', { class: 'problem', role: 'alert' });
  #shown: Shown | undefined;

  readonly root = element(
    'div',
    { class: 'value-line bar', role: 'group', attributes: { 'aria-label': 'Selected element' } },
    this.#place,
    this.#value,
    this.#problem,
    this.#bits,
    this.#offset,
    this.#exact,
    this.#selection,
    this.#announced,
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
    for (const part of [this.#value, this.#exact, this.#bits]) part.hidden = selected === undefined;
    const count = rectangle ? countCells(rectangle) : 1;
    setText(this.#selection, count > 1 ? `${countOf(count, 'cell')} selected` : '');
    if (selected === undefined) {
      setText(this.#place, 'No elements');
      return setText(this.#offset, '');
    }
    if (isOther) this.#giveUp();
    if (isOther) this.say('');
    setText(this.#place, `[${placeOf(tensor.shape, selected).join(', ')}]`);
    const exact = exactDigits(tensor.dtype, readElement(tensor, selected));
    setText(this.#exact, exact === undefined ? '' : `= ${exact}`);
    this.#exact.title = exact ?? '';
    setText(this.#bits, bitsOf(tensor, selected));
    setText(this.#offset, describeOffset(tensor, selected));
  }

  /** Shows the result of a copy until the selection moves. */
  say(words: string): void {
    setText(this.#announced, words);
  }

  /** Shows the reason why a value was refused. */
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

/** The exact text of an element, which parses to the same bits, except for those of a NaN. */
export function exactText(tensor: Tensor, index: number): string {
  return showElement(tensor.dtype, readElement(tensor, index));
}

/** The maximum number of digits, because more are of no use to people; the bits are shown as well. */
const MAX_DIGITS = 60;

/**
 * All digits of a float whose shortest text is another number, such as 65504, which is shown as 65500.0; else
 * undefined.
 */
export function exactDigits(dtype: DtypeName, value: Element): string | undefined {
  if (findDtype(dtype)?.kind !== 'float' || typeof value !== 'number') return undefined;
  const [exact, shown] = [exactDecimal(value), readDecimal(showElement(dtype, value))];
  return exact && shown && !isSameDecimal(exact, shown) ? showDecimal(exact, MAX_DIGITS) : undefined;
}

function describeOffset(tensor: Tensor, index: number): string {
  const size = elementSize(tensor.dtype);
  return `byte ${showCount(index * size)}${size === 1 ? '' : ` to ${showCount(index * size + size - 1)}`}`;
}

import { element, setText } from '../shared/element.ts';
import { buildSelect, setOptions } from '../shared/select.ts';
import { chooseAxis, moveAlong, type Slicing } from './axes.ts';

const NO_AXIS = 'none';

interface AxisControl {
  readonly root: HTMLElement;
  readonly slider: HTMLInputElement;
  readonly number: HTMLInputElement;
  readonly size: HTMLElement;
}

/** Controls for the axes of rows and columns, and for the index on every other axis. */
export class AxesView {
  readonly #onChange: (slicing: Slicing) => void;
  readonly #rows = buildSelect([], () => this.#choose('rows'));
  readonly #columns = buildSelect([], () => this.#choose('columns'));
  readonly #others = element('div', { class: 'axis-controls' });
  #controls: readonly (AxisControl | undefined)[] = [];
  #slicing: Slicing = { rows: undefined, columns: undefined, at: [] };
  #shape: readonly number[] = [];

  readonly root = element(
    'div',
    { class: 'axes', role: 'group', attributes: { 'aria-label': 'Axes' } },
    element('label', { class: 'field' }, 'Rows', this.#rows),
    element('label', { class: 'field' }, 'Columns', this.#columns),
    this.#others,
  );

  constructor(onChange: (slicing: Slicing) => void) {
    this.#onChange = onChange;
  }

  update(shape: readonly number[], slicing: Slicing): void {
    this.#shape = shape;
    this.#slicing = slicing;
    // A scalar has no axes to choose.
    this.root.hidden = shape.length === 0;
    const options = [
      ...shape.map((size, axis) => ({ value: String(axis), label: `axis ${axis} (${size})` })),
      ...(shape.length < 2 ? [{ value: NO_AXIS, label: 'none' }] : []),
    ];
    setOptions(this.#rows, options);
    setOptions(this.#columns, options);
    this.#rows.value = valueOf(slicing.rows);
    this.#columns.value = valueOf(slicing.columns);
    this.#updateControls();
  }

  #updateControls(): void {
    const wanted = this.#shape.map(
      (_, axis) => axis !== this.#slicing.rows && axis !== this.#slicing.columns,
    );
    const isSame =
      wanted.length === this.#controls.length &&
      wanted.every((isWanted, axis) => isWanted === (this.#controls[axis] !== undefined));
    if (!isSame) {
      this.#controls = wanted.map((isWanted, axis) => (isWanted ? this.#buildControl(axis) : undefined));
      this.#others.replaceChildren(...this.#controls.flatMap(control => (control ? [control.root] : [])));
    }
    for (const [axis, control] of this.#controls.entries()) {
      if (!control) continue;
      const last = Math.max(0, (this.#shape[axis] ?? 1) - 1);
      const at = String(this.#slicing.at[axis] ?? 0);
      for (const input of [control.slider, control.number]) {
        input.max = String(last);
        // A number that the user is typing is not overwritten.
        if (input.value !== at && !(input === control.number && input === document.activeElement))
          input.value = at;
      }
      setText(control.size, `0 to ${last}`);
    }
  }

  #buildControl(axis: number): AxisControl {
    const slider = element('input', { attributes: { type: 'range', 'aria-label': `Index on axis ${axis}` } });
    const number = element('input', {
      class: 'axis-number',
      attributes: { type: 'number', 'aria-label': `Index on axis ${axis}, as a number` },
    });
    for (const input of [slider, number]) {
      input.min = '0';
      input.step = '1';
      input.addEventListener('input', () => this.#move(axis, input));
    }
    number.addEventListener('blur', () => this.#updateControls());
    const size = element('span', { class: 'muted' });
    const root = element('div', { class: 'field' }, `Axis ${axis}`, slider, number, size);
    return { root, slider, number, size };
  }

  #move(axis: number, input: HTMLInputElement): void {
    const index = input.valueAsNumber;
    const isIndex = Number.isInteger(index) && index >= 0 && index < (this.#shape[axis] ?? 0);
    input.ariaInvalid = String(!isIndex);
    if (isIndex) this.#onChange(moveAlong(this.#slicing, axis, index));
  }

  #choose(side: 'rows' | 'columns'): void {
    const { value } = side === 'rows' ? this.#rows : this.#columns;
    this.#onChange(chooseAxis(this.#slicing, side, value === NO_AXIS ? undefined : Number(value)));
  }
}

function valueOf(axis: number | undefined): string {
  return axis === undefined ? NO_AXIS : String(axis);
}

import { Select } from '../shared/buttons.ts';
import { h, type View } from '../shared/view.ts';
import { chooseAxis, moveAlong, type Slicing } from './axes.ts';

const NO_AXIS = 'none';

interface AxesProps {
  readonly shape: readonly number[];
  readonly slicing: Slicing;
  readonly onChange: (slicing: Slicing) => void;
}

/** Controls for the axes of rows and columns, and for the index on every other axis. */
export function AxisControls({ shape, slicing, onChange }: AxesProps): View | undefined {
  // A scalar has no axes to choose.
  if (shape.length === 0) return undefined;
  const options = [
    ...shape.map((size, axis) => ({ value: String(axis), label: `axis ${axis} (${size})` })),
    ...(shape.length < 2 ? [{ value: NO_AXIS, label: 'none' }] : []),
  ];
  const side = (title: string, name: 'rows' | 'columns'): View => {
    const value = slicing[name] === undefined ? NO_AXIS : String(slicing[name]);
    const onChoose = (axis: string): void =>
      onChange(chooseAxis(slicing, name, axis === NO_AXIS ? undefined : Number(axis)));
    return h('label', { class: 'field' }, title, h(Select, { options, value, onChoose }));
  };
  return h(
    'div',
    { class: 'axes', role: 'group', 'aria-label': 'Axes' },
    side('Rows', 'rows'),
    side('Columns', 'columns'),
    shape.map((size, axis) =>
      axis === slicing.rows || axis === slicing.columns
        ? undefined
        : h(IndexControl, {
            key: axis,
            axis,
            last: Math.max(0, size - 1),
            at: slicing.at[axis] ?? 0,
            onMove: index => onChange(moveAlong(slicing, axis, index)),
          }),
    ),
  );
}

interface IndexProps {
  readonly axis: number;
  readonly last: number;
  readonly at: number;
  readonly onMove: (index: number) => void;
}

/** A slider and a number for the index on an axis. */
function IndexControl({ axis, last, at, onMove }: IndexProps): View {
  const label = `Index on axis ${axis}`;
  const onInput = ({ currentTarget: input }: { readonly currentTarget: HTMLInputElement }): void => {
    const index = input.valueAsNumber;
    const isIndex = Number.isInteger(index) && index >= 0 && index <= last;
    input.ariaInvalid = String(!isIndex);
    if (isIndex) onMove(index);
  };
  // An invalid number that the user has typed is discarded.
  const onBlur = ({ currentTarget: input }: { readonly currentTarget: HTMLInputElement }): void => {
    input.value = String(at);
    input.ariaInvalid = 'false';
  };
  const range = { min: 0, max: last, step: 1, value: at, onInput, onBlur } as const;
  return h(
    'div',
    { class: 'field' },
    `Axis ${axis}`,
    h('input', { ...range, type: 'range', 'aria-label': label }),
    h('input', {
      ...range,
      class: 'axis-number number',
      type: 'number',
      'aria-label': `${label}, as a number`,
    }),
    h('span', { class: 'muted' }, `0 to ${last}`),
  );
}

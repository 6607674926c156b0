import { Icon, type IconName } from './icons.ts';
import { h, type View } from './view.ts';

interface ButtonProps {
  readonly label: string;
  readonly onClick?: (() => void) | undefined;
  readonly class?: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A button with a text. */
export function Button({ label, class: name = 'button', ...props }: ButtonProps): View {
  return h('button', { type: 'button', class: name, ...props }, label);
}

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
}

/** A button with an icon. The label is also its tooltip. */
export function IconButton({ icon, label, ...props }: IconButtonProps): View {
  const attributes = { type: 'button', title: label, 'aria-label': label } as const;
  return h('button', { class: 'icon-button', ...attributes, ...props }, h(Icon, { name: icon }));
}

/** An option of a select element. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly isDisabled?: boolean;
}

interface SelectProps {
  readonly options: readonly SelectOption[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly id?: string;
  readonly class?: string;
  /** Its name for screen readers, if it has no label element. */
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-required'?: boolean | undefined;
  readonly 'aria-invalid'?: boolean;
}

/** A native select element, which supports keyboard and screen readers. */
export function Select({ options, value, onChoose, ...props }: SelectProps): View {
  return h(
    'select',
    { ...props, value, onChange: event => onChoose(event.currentTarget.value) },
    options.map(option =>
      h('option', { key: option.value, value: option.value, disabled: option.isDisabled }, option.label),
    ),
  );
}

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly rows: readonly { readonly name: Name; readonly title: string }[];
  readonly value: Name;
  readonly onChoose: (name: Name) => void;
}

/** A select element behind its label, with an option for each row of a table. */
export function buildChoice<Name extends string>(props: ChoiceProps<Name>): View {
  const { label, rows, value } = props;
  const options = rows.map(({ name, title }) => ({ value: name, label: title }));
  const onChoose = (chosen: string): void => {
    const row = rows.find(({ name }) => name === chosen);
    if (row) props.onChoose(row.name);
  };
  return h('label', { class: 'field' }, label, h(Select, { options, value, onChoose }));
}

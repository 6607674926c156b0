import type { FormField } from '../../../../wire/form-messages.ts';
import { Select } from '../buttons.ts';
import { h, type View } from '../view.ts';

interface FieldProps {
  readonly field: FormField;
  /** The id of its control. */
  readonly id: string;
  /** Undefined for a text that is not given. */
  readonly input: string | undefined;
  /** The problem with the input; empty if there is none. */
  readonly fault: string;
  readonly onInput: (input: string | undefined) => void;
}

/** A field of the form: name, hint, input control and fault. */
export function Field(props: FieldProps): View {
  const { field, id, fault } = props;
  const { isRequired, hint, title, description, kind } = field;
  const name = kind === 'choices' ? 'span' : 'label';
  const label = name === 'label' ? { for: id } : {};
  return h(
    'div',
    { class: 'field stack' },
    h(
      'div',
      { class: 'field-head' },
      h(name, { class: 'field-name', id: `${id}-name`, ...label }, title),
      h(
        'span',
        { class: 'muted', id: `${id}-hint` },
        [isRequired ? 'required' : '', hint].filter(Boolean).join(' · '),
      ),
    ),
    h('p', { class: 'about muted', id: `${id}-about` }, description),
    buildControl(props),
    isRequired && kind === 'text' && buildEmptyBox(props),
    h('p', { class: 'fault', id: `${id}-fault`, hidden: fault === '' }, fault),
  );
}

/** A required text counts as missing until it is typed, or until this box says that it is an empty text. */
function buildEmptyBox({ input, onInput }: FieldProps): View | undefined {
  if (input !== undefined && input !== '') return undefined;
  const onChange = (event: { readonly currentTarget: HTMLInputElement }): void =>
    onInput(event.currentTarget.checked ? '' : undefined);
  const box = h('input', { type: 'checkbox', checked: input === '', onChange });
  return h('label', { class: 'box bar muted' }, box, 'Send an empty text');
}

function buildControl(props: FieldProps): View {
  const { field, input = '', onInput } = props;
  const { kind, choices, isSecret } = field;
  if (kind === 'boolean') return buildList(props, ['true', 'false'], value => value);
  if (kind === 'choices') return buildBoxes(props);
  if (kind === 'choice') {
    const labels = choices.map(({ label }) => label);
    return buildList(props, labels, (_, at) => String(at));
  }
  const isLong = kind === 'list' || kind === 'json';
  const isMissing = kind === 'text' && field.isRequired;
  const control = {
    ...describe(props),
    spellcheck: false,
    autocomplete: 'off',
    value: input,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onInput(event.currentTarget.value === '' && isMissing ? undefined : event.currentTarget.value),
  } as const;
  // Password fields have one line, so secrets of several lines use a text area.
  if (isSecret && !isLong) return h('input', { ...control, class: 'password', type: 'password' });
  // A text field for numbers: a number field would round them.
  if (kind === 'integer' || kind === 'number')
    return h('input', { ...control, class: 'line number', type: 'text' });
  const look = isSecret ? 'area hidden' : kind === 'json' ? 'area code' : 'area';
  return h('textarea', { ...control, class: look, rows: 1, 'data-lines': isLong ? 'many' : 'one' });
}

/** The attributes that connect a control with its name, hint and fault. */
function describe({ field, id, fault }: FieldProps): {
  id: string;
  'aria-describedby': string;
  'aria-required': boolean | undefined;
  'aria-invalid': boolean;
} {
  return {
    id,
    'aria-describedby': `${id}-hint ${id}-about ${id}-fault`,
    'aria-required': field.isRequired || undefined,
    'aria-invalid': fault !== '',
  };
}

function buildList(
  props: FieldProps,
  labels: readonly string[],
  toValue: (label: string, at: number) => string,
): View {
  const { field, input = '', onInput } = props;
  const none = { value: '', label: field.isRequired ? 'Choose…' : 'Not given' };
  const options = labels.map((label, at) => ({ value: toValue(label, at), label }));
  return h(Select, { ...describe(props), options: [none, ...options], value: input, onChoose: onInput });
}

function buildBoxes(props: FieldProps): View {
  const { field, id, input = '', onInput } = props;
  const chosen = new Set(input.split('\n').filter(Boolean));
  const toggle = (at: number): void => {
    const all = field.choices.map((_, other) => String(other));
    onInput(all.filter(other => chosen.has(other) !== (other === String(at))).join('\n'));
  };
  return h(
    'fieldset',
    { ...describe(props), 'aria-labelledby': `${id}-name` },
    field.choices.map(({ label }, at) => {
      const box = { type: 'checkbox', checked: chosen.has(String(at)), onChange: () => toggle(at) } as const;
      return h('label', { class: 'box bar' }, h('input', box), label);
    }),
  );
}

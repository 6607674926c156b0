import type { FormField } from '../../../wire/form-messages.ts';
import { element, setText } from '../shared/element.ts';
import { buildSelect } from '../shared/select.ts';

/** An input control and access to its text. */
interface Control {
  /** The element that has the label, the focus and the fault. */
  readonly main: HTMLElement;
  readonly root: HTMLElement;
  read(): string;
  write(input: string): void;
}

/** A field of the form: name, hint, input control and fault. */
export class FieldView {
  readonly field: FormField;
  readonly root: HTMLElement;
  readonly #control: Control;
  readonly #fault: HTMLElement;

  constructor(field: FormField, number: number, onInput: () => void) {
    this.field = field;
    const id = `field-${number}`;
    this.#control = buildControl(field, id);
    this.#fault = element('p', { class: 'fault', attributes: { id: `${id}-fault` } });
    const hint = [field.isRequired ? 'required' : '', field.hint].filter(Boolean).join(' · ');
    const { main, root } = this.#control;
    main.setAttribute('aria-describedby', `${id}-hint ${id}-about ${id}-fault`);
    if (field.isRequired) main.ariaRequired = 'true';
    root.addEventListener('input', onInput);
    const name = root === main ? 'label' : 'span';
    this.root = element(
      'div',
      { class: 'field' },
      element(
        'div',
        { class: 'field-head' },
        element(name, { class: 'field-name', attributes: labelAttributes(name, id) }, field.title),
        element('span', { class: 'muted', attributes: { id: `${id}-hint` } }, hint),
      ),
      element('p', { class: 'about muted', attributes: { id: `${id}-about` } }, field.description),
      root,
      this.#fault,
    );
    this.showFault('');
  }

  read(): string {
    return this.#control.read();
  }

  write(input: string): void {
    if (this.#control.read() !== input) this.#control.write(input);
  }

  /** Shows a fault; an empty sentence clears it. */
  showFault(sentence: string): void {
    setText(this.#fault, sentence);
    this.#fault.hidden = sentence === '';
    this.#control.main.ariaInvalid = String(sentence !== '');
  }

  focus(): void {
    const { main } = this.#control;
    (main.matches('fieldset') ? main.querySelector('input') : main)?.focus();
  }
}

function labelAttributes(name: 'label' | 'span', id: string): Readonly<Record<string, string>> {
  return name === 'label' ? { for: id, id: `${id}-name` } : { id: `${id}-name` };
}

const CONTROLS: Readonly<Record<FormField['kind'], (field: FormField, id: string) => Control>> = {
  text: (_, id) => buildArea(id, 'lines'),
  any: (_, id) => buildArea(id, 'lines'),
  list: (_, id) => buildArea(id, 'lines'),
  json: (_, id) => buildArea(id, 'code'),
  integer: (_, id) => buildLine(id),
  number: (_, id) => buildLine(id),
  boolean: (field, id) => buildList(field, id, ['true', 'false'], value => value),
  choice: (field, id) => {
    const labels = field.choices.map(({ label }) => label);
    return buildList(field, id, labels, (_, at) => String(at));
  },
  choices: buildBoxes,
};

function buildControl(field: FormField, id: string): Control {
  const { kind, isSecret } = field;
  if (!isSecret || kind === 'boolean' || kind === 'choice' || kind === 'choices')
    return CONTROLS[kind](field, id);
  // Password fields have one line, so values of several lines use a text area.
  return kind === 'list' || kind === 'json' ? buildArea(id, 'hidden') : buildPassword(id);
}

function buildPassword(id: string): Control {
  const input = element('input', {
    class: 'password',
    attributes: { id, type: 'password', spellcheck: 'false', autocomplete: 'off' },
  });
  return { main: input, root: input, read: () => input.value, write: text => void (input.value = text) };
}

/** A text field for numbers: a number field would round them. */
function buildLine(id: string): Control {
  const input = element('input', {
    class: 'line number',
    attributes: { id, type: 'text', spellcheck: 'false', autocomplete: 'off' },
  });
  return { main: input, root: input, read: () => input.value, write: text => void (input.value = text) };
}

/** A text area that grows with its text. */
function buildArea(id: string, form: 'lines' | 'code' | 'hidden'): Control {
  const area = element('textarea', {
    class: form === 'lines' ? 'area' : `area ${form}`,
    attributes: { id, spellcheck: 'false', autocomplete: 'off' },
  });
  area.rows = 1;
  return { main: area, root: area, read: () => area.value, write: text => void (area.value = text) };
}

function buildList(
  { isRequired }: FormField,
  id: string,
  labels: readonly string[],
  toValue: (label: string, at: number) => string,
): Control {
  const none = { value: '', label: isRequired ? 'Choose…' : 'Not given' };
  const options = labels.map((label, at) => ({ value: toValue(label, at), label }));
  const select = buildSelect([none, ...options], () => undefined);
  select.id = id;
  return { main: select, root: select, read: () => select.value, write: text => void (select.value = text) };
}

function buildBoxes({ choices }: FormField, id: string): Control {
  const boxes = choices.map(() => element('input', { attributes: { type: 'checkbox' } }));
  const labels = choices.map(({ label }, at) => element('label', { class: 'box' }, boxes[at] ?? '', label));
  const group = element('fieldset', { attributes: { id, 'aria-labelledby': `${id}-name` } }, ...labels);
  return {
    main: group,
    root: element('div', {}, group),
    read: () => boxes.flatMap((box, at) => (box.checked ? [String(at)] : [])).join('\n'),
    write: text => {
      const chosen = new Set(text.split('\n'));
      for (const [at, box] of boxes.entries()) box.checked = chosen.has(String(at));
    },
  };
}

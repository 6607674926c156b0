import {
  PREVIEW_WORDS,
  type FormFaults,
  type FormInputs,
  type FormPreview,
  type FormState,
  type FromForm,
  type ShowForm,
  type ToForm,
} from '../../../../wire/form-messages.ts';
import { Button, Select } from '../buttons.ts';
import { StateLine } from '../state-line.ts';
import { draw, h, type View } from '../view.ts';
import { Field } from './field.ts';

/** A form in a page: the fields of a JSON Schema, the faults of their values, and a preview of the request. */
export class FormView {
  readonly #post: (message: FromForm) => void;
  readonly #root: HTMLElement;
  #shown: ShowForm | undefined;
  #inputs: FormInputs = {};
  #faults: FormFaults = {};
  #preview: FormPreview | undefined;
  #state: Pick<FormState, 'state' | 'words' | 'share'> = { state: 'idle', words: '' };
  /** The fields that the user has edited. Faults of others are shown once the form is sent. */
  readonly #touched = new Set<string>();
  #wasSent = false;

  /** `post` sends a message to the extension, which waits for `ready`. */
  constructor(root: HTMLElement, post: (message: FromForm) => void) {
    this.#root = root;
    this.#post = post;
    post({ type: 'ready' });
  }

  receive(message: ToForm): void {
    switch (message.type) {
      case 'show':
        this.#shown = message;
        this.#inputs = message.inputs;
        this.#draw();
        this.#root.querySelector<HTMLElement>('.fields :is(input, select, textarea), .primary')?.focus();
        return;
      case 'checked':
        this.#faults = message.faults;
        this.#preview = message.preview;
        break;
      case 'state':
        this.#state = message;
        break;
    }
    this.#draw();
  }

  #draw(): void {
    if (this.#shown) draw(this.#root, this.#build(this.#shown));
  }

  #build({ heading, message, fields, submit, decline }: ShowForm): View {
    const { state, words, share } = this.#state;
    const names = new Set(fields.map(({ name }) => name));
    const rest = Object.entries(this.#faults).find(([name]) => !names.has(name))?.[1] ?? '';
    const isReported = (name: string): boolean => this.#wasSent || this.#touched.has(name);
    return h(
      'form',
      {
        class: 'form stack',
        noValidate: true,
        onSubmit: event => {
          event.preventDefault();
          this.#send();
        },
        onKeyDown: event => this.#onKey(event, decline === undefined ? 'call' : 'question'),
      },
      h('h1', {}, heading),
      h('p', { class: 'message' }, message),
      h(
        'div',
        { class: 'fields stack' },
        fields.length === 0 && h('p', { class: 'muted' }, 'There is nothing to fill in.'),
        fields.map((field, at) =>
          h(Field, {
            key: field.name,
            field,
            id: `field-${at}`,
            input: Object.hasOwn(this.#inputs, field.name) ? this.#inputs[field.name] : undefined,
            fault: isReported(field.name) ? (this.#faults[field.name] ?? '') : '',
            onInput: input => this.#change(field.name, input),
          }),
        ),
      ),
      h('p', { class: 'fault', role: 'alert', hidden: rest === '' }, rest),
      h(
        'div',
        { class: 'actions bar wraps' },
        // One takes the place of the other, so that nothing moves.
        state === 'working'
          ? h(Button, { class: 'button primary', label: 'Stop', onClick: () => this.#post({ type: 'stop' }) })
          : h('button', { type: 'submit', class: 'button primary' }, submit),
        decline !== undefined &&
          h(Button, { label: decline, onClick: () => this.#post({ type: 'decline' }) }),
        h(StateLine, {
          state,
          words,
          share,
          onAnyway: () => this.#post({ type: 'submitAnyway', inputs: this.#inputs }),
        }),
      ),
      this.#preview && this.#buildPreview(this.#preview),
    );
  }

  /** A preview of the request as it will be sent. */
  #buildPreview({ form, forms, text }: FormPreview): View {
    const options = forms.map(each => ({ value: each, label: PREVIEW_WORDS.get(each) ?? each }));
    const onChoose = (chosen: string): void => {
      const found = forms.find(each => each === chosen);
      if (found) this.#post({ type: 'preview', form: found });
    };
    return h(
      'section',
      { class: 'request stack' },
      h(
        'div',
        { class: 'request-head bar wraps muted' },
        h('label', { class: 'language' }, 'Request as ', h(Select, { options, value: form, onChoose })),
        h(Button, { label: 'Copy', onClick: () => this.#post({ type: 'copy' }) }),
      ),
      h('pre', { class: 'body', tabIndex: 0, 'aria-label': 'Request' }, text),
    );
  }

  #change(name: string, input: string | undefined): void {
    this.#touched.add(name);
    const others = Object.entries(this.#inputs).filter(([other]) => other !== name);
    this.#inputs = Object.fromEntries(input === undefined ? others : [...others, [name, input]]);
    this.#draw();
    this.#post({ type: 'changed', inputs: this.#inputs });
  }

  #send(): void {
    if (this.#state.state === 'working') return;
    this.#wasSent = true;
    this.#post({ type: 'submit', inputs: this.#inputs });
  }

  #onKey(event: KeyboardEvent, kind: 'call' | 'question'): void {
    // Escape cancels a question of an agent; a form that the user opened stays open.
    if (event.key === 'Escape' && kind === 'question') this.#post({ type: 'cancel' });
    if (event.key !== 'Enter' || event.isComposing) return;
    // Enter sends, as in any form, except where a field has several lines; there Shift+Enter is not needed.
    const isControl = event.ctrlKey || event.metaKey;
    const isLine = event.target instanceof HTMLTextAreaElement && event.target.dataset['lines'] === 'one';
    if (!isControl && (!isLine || event.shiftKey)) return;
    event.preventDefault();
    this.#send();
  }
}

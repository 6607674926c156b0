import { LANGUAGES } from '../../../core/catalog/languages.ts';
import {
  isToForm,
  type FormChecked,
  type FormInputs,
  type FormPreview,
  type FormState,
  type FromForm,
  type ShowForm,
  type ToForm,
} from '../../../wire/form-messages.ts';
import { element, setText } from '../shared/element.ts';
import { connectHost } from '../shared/host.ts';
import { buildSelect } from '../shared/select.ts';
import { buildStatusIcon } from '../shared/status-icon.ts';
import { FieldView } from './field-view.ts';

/** The page of a form: the fields of a JSON Schema, the faults of their values, and a preview of the request. */
export class FormPage {
  readonly #host = connectHost<ToForm, FromForm>(isToForm, message => this.#receive(message));
  readonly #heading = element('h1', {});
  readonly #message = element('p', { class: 'message' });
  readonly #fields = element('div', { class: 'fields' });
  readonly #fault = element('p', { class: 'fault', role: 'alert' });
  readonly #submit = buildButton('button primary', () => this.#send());
  readonly #decline = buildButton('button', () => this.#host.post({ type: 'decline' }));
  readonly #state = new StateLine({
    onStop: () => this.#host.post({ type: 'stop' }),
    onAnyway: () => this.#host.post({ type: 'submitAnyway', inputs: this.#read() }),
  });
  readonly #preview = new PreviewView({
    onLanguage: language => this.#host.post({ type: 'preview', language }),
    onCopy: () => this.#host.post({ type: 'copy' }),
  });
  #views: readonly FieldView[] = [];
  /** The fields that the user has edited. Faults of others are shown once the form is sent. */
  readonly #touched = new Set<string>();
  #wasSent = false;

  constructor(root: HTMLElement) {
    const form = element(
      'form',
      { class: 'form' },
      this.#heading,
      this.#message,
      this.#fields,
      this.#fault,
      element('div', { class: 'actions' }, this.#submit, this.#decline, this.#state.root),
      this.#preview.root,
    );
    form.noValidate = true;
    this.#submit.type = 'submit';
    form.addEventListener('submit', event => {
      event.preventDefault();
      this.#send();
    });
    form.addEventListener('keydown', event => {
      // Escape cancels a question of an agent; a form that the user opened stays open.
      if (event.key === 'Escape' && !this.#decline.hidden) this.#host.post({ type: 'cancel' });
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#send();
    });
    root.replaceChildren(form);
    this.#host.post({ type: 'ready' });
  }

  #receive(message: ToForm): void {
    switch (message.type) {
      case 'show':
        this.#show(message);
        return;
      case 'checked':
        this.#check(message);
        return;
      case 'state':
        this.#state.show(message);
        this.#submit.disabled = message.state === 'working';
        return;
    }
  }

  #show({ heading, message, fields, inputs, submit, decline }: ShowForm): void {
    setText(this.#heading, heading);
    setText(this.#message, message);
    setText(this.#submit, submit);
    setText(this.#decline, decline ?? '');
    this.#decline.hidden = decline === undefined;
    this.#views = fields.map((field, at) => new FieldView(field, at, () => this.#change(field.name)));
    for (const view of this.#views) view.write(inputs[view.field.name] ?? '');
    const nothing = element('p', { class: 'muted' }, 'There is nothing to fill in.');
    this.#fields.replaceChildren(
      ...(this.#views.length === 0 ? [nothing] : this.#views.map(view => view.root)),
    );
    this.#fault.hidden = true;
    if (this.#views[0]) this.#views[0].focus();
    else this.#submit.focus();
  }

  #check({ faults, preview }: FormChecked): void {
    const isReported = (name: string): boolean => this.#wasSent || this.#touched.has(name);
    for (const view of this.#views) {
      const { name } = view.field;
      view.showFault(isReported(name) ? (faults[name] ?? '') : '');
    }
    const names = new Set(this.#views.map(view => view.field.name));
    const rest = Object.entries(faults).find(([name]) => !names.has(name))?.[1] ?? '';
    setText(this.#fault, rest);
    this.#fault.hidden = rest === '';
    this.#preview.show(preview);
  }

  #change(name: string): void {
    this.#touched.add(name);
    this.#host.post({ type: 'changed', inputs: this.#read() });
  }

  #send(): void {
    if (this.#submit.disabled) return;
    this.#wasSent = true;
    this.#host.post({ type: 'submit', inputs: this.#read() });
  }

  #read(): FormInputs {
    return Object.fromEntries(this.#views.map(view => [view.field.name, view.read()]));
  }
}

const STATE_ICONS = { working: 'open', ok: 'ok', error: 'error', held: 'incomplete' } as const;

/** The state of the sent request, with buttons to stop it or to send it despite errors. */
class StateLine {
  readonly #icon = element('span', { class: 'icon' });
  readonly #words = element('span', { role: 'status' });
  readonly #stop: HTMLButtonElement;
  readonly #anyway: HTMLButtonElement;
  readonly root: HTMLElement;

  constructor(host: { onStop(): void; onAnyway(): void }) {
    this.#stop = buildButton('button', () => host.onStop());
    setText(this.#stop, 'Stop');
    this.#anyway = buildButton('button', () => host.onAnyway());
    setText(this.#anyway, 'Send anyway');
    this.#stop.hidden = this.#anyway.hidden = true;
    this.root = element('div', { class: 'state' }, this.#icon, this.#words, this.#stop, this.#anyway);
  }

  show({ state, words }: FormState): void {
    setText(this.#words, words);
    this.#icon.replaceChildren(...(state === 'idle' ? [] : [buildStatusIcon(STATE_ICONS[state])]));
    this.#stop.hidden = state !== 'working';
    this.#anyway.hidden = state !== 'held';
  }
}

/** A preview of the request as it will be sent. */
class PreviewView {
  readonly #text = element('pre', { class: 'preview code', attributes: { tabindex: '0' } });
  readonly #language: HTMLSelectElement;
  readonly root: HTMLElement;

  constructor(host: { onLanguage(language: FormPreview['language']): void; onCopy(): void }) {
    const options = LANGUAGES.map(({ id, title }) => ({ value: id, label: title }));
    this.#language = buildSelect(options, () => {
      const language = LANGUAGES.find(({ id }) => id === this.#language.value)?.id;
      if (language) host.onLanguage(language);
    });
    const copy = buildButton('button', () => host.onCopy());
    setText(copy, 'Copy');
    const label = element('label', { class: 'language' }, 'Request as ', this.#language);
    this.root = element(
      'section',
      { class: 'request' },
      element('div', { class: 'request-head' }, label, copy),
      this.#text,
    );
    this.root.hidden = true;
  }

  show(preview: FormPreview | undefined): void {
    this.root.hidden = !preview;
    if (!preview) return;
    this.#language.value = preview.language;
    setText(this.#text, preview.text);
    this.#text.ariaLabel = 'Request';
  }
}

function buildButton(className: string, onClick: () => void): HTMLButtonElement {
  const isSubmit = className.includes('primary');
  return element('button', {
    class: className,
    attributes: { type: 'button' },
    ...(isSubmit ? {} : { onClick }),
  });
}

import { ViewColumn, type Disposable, type Uri } from 'vscode';
import {
  isFromForm,
  type FormChecked,
  type FormInputs,
  type FormPreview,
  type FormState,
  type FromForm,
  type ShowForm,
  type ToForm,
} from '../../../wire/form-messages.ts';
import { openPanel, type Panel } from '../window/panel-host.ts';
import { listFields } from './schema-fields.ts';

export interface FormSpec extends Pick<ShowForm, 'heading' | 'message' | 'submit' | 'decline'> {
  /** The title of its tab. */
  readonly title: string;
  /** A JSON Schema of an object. */
  readonly schema: unknown;
  /** The initial inputs. */
  readonly inputs: FormInputs;
}

/** Callbacks of a form. */
export interface FormHost {
  /** Checks the inputs, and returns faults and a preview. Called initially and after each change. */
  check(inputs: FormInputs): Omit<FormChecked, 'type'>;
  /** Called with inputs that have no faults. */
  onSubmit(inputs: FormInputs): void;
  /** Called if the user sends inputs despite faults; without it only inputs without faults can be sent. */
  onSubmitAnyway?(inputs: FormInputs): void;
  onDecline?(): void;
  onStop?(): void;
  onCopy?(): void;
  onLanguage?(language: FormPreview['language']): void;
  onClose(): void;
}

/** A form in a panel. The state is stored here, so a page that was hidden is restored with all inputs. */
export class FormPanel implements Disposable {
  readonly #spec: FormSpec;
  readonly #host: FormHost;
  readonly #panel: Panel<ToForm>;
  #inputs: FormInputs;
  #state: FormState = { type: 'state', state: 'idle', words: '' };

  constructor(extension: Uri, spec: FormSpec, host: FormHost) {
    this.#spec = spec;
    this.#host = host;
    this.#inputs = spec.inputs;
    this.#panel = openPanel<FromForm, ToForm>(
      extension,
      {
        viewType: 'parley.form',
        title: spec.title,
        bundle: 'form',
        icon: 'parley',
        column: ViewColumn.Active,
        isMessage: isFromForm,
        onMessage: message => this.#receive(message),
      },
      () => host.onClose(),
    );
  }

  /** The current inputs. */
  get inputs(): FormInputs {
    return this.#inputs;
  }

  show(state: FormState['state'], words: string, share?: number): void {
    this.#state = { type: 'state', state, words, ...(share === undefined ? {} : { share }) };
    this.#panel.post(this.#state);
  }

  /** Sends faults and preview to the page again. */
  check(): void {
    this.#panel.post({ type: 'checked', ...this.#host.check(this.#inputs) });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #receive(message: FromForm): void {
    switch (message.type) {
      case 'ready':
        this.#draw();
        return;
      case 'changed':
        this.#inputs = message.inputs;
        this.check();
        return;
      case 'submit':
        this.#inputs = message.inputs;
        this.#submit();
        return;
      case 'submitAnyway':
        this.#inputs = message.inputs;
        this.#host.onSubmitAnyway?.(this.#inputs);
        return;
      case 'preview':
        this.#host.onLanguage?.(message.language);
        return;
      case 'decline':
        this.#host.onDecline?.();
        return;
      case 'cancel':
        this.#panel.dispose();
        return;
      case 'stop':
        this.#host.onStop?.();
        return;
      case 'copy':
        this.#host.onCopy?.();
        return;
    }
  }

  #draw(): void {
    const { heading, message, submit, decline, schema } = this.#spec;
    const fields = listFields(schema);
    this.#panel.post({
      type: 'show',
      heading,
      message,
      fields,
      inputs: this.#inputs,
      submit,
      ...(decline === undefined ? {} : { decline }),
    });
    this.check();
    this.#panel.post(this.#state);
  }

  #submit(): void {
    const checked = this.#host.check(this.#inputs);
    const count = Object.keys(checked.faults).length;
    this.#panel.post({ type: 'checked', ...checked });
    const words = count === 1 ? '1 field needs attention' : `${count} fields need attention`;
    if (count === 0) this.#host.onSubmit(this.#inputs);
    else this.show(this.#host.onSubmitAnyway ? 'held' : 'error', words);
  }
}

import type {
  FormChecked,
  FormInputs,
  FormPreview,
  FormState,
  FromForm,
  ShowForm,
  ToForm,
} from '../../../wire/form-messages.ts';
import { listFields } from './schema-fields.ts';

/** What a form asks for. */
export interface FormSpec extends Pick<ShowForm, 'heading' | 'message' | 'submit' | 'decline'> {
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
  onCancel?(): void;
  onStop?(): void;
  onCopy?(): void;
  onForm?(form: FormPreview['form']): void;
}

/** A form in any page. The state is stored here, so a page that was hidden is restored with all inputs. */
export class FormSession {
  readonly #spec: FormSpec;
  readonly #host: FormHost;
  readonly #post: (message: ToForm) => void;
  #inputs: FormInputs;
  #state: FormState = { type: 'state', state: 'idle', words: '' };

  /** `post` sends a message to the page. */
  constructor(spec: FormSpec, host: FormHost, post: (message: ToForm) => void) {
    this.#spec = spec;
    this.#host = host;
    this.#post = post;
    this.#inputs = spec.inputs;
  }

  /** The current inputs. */
  get inputs(): FormInputs {
    return this.#inputs;
  }

  show(state: FormState['state'], words: string, share?: number): void {
    this.#state = { type: 'state', state, words, ...(share === undefined ? {} : { share }) };
    this.#post(this.#state);
  }

  /** Sends faults and preview to the page again. */
  check(): void {
    this.#post({ type: 'checked', ...this.#host.check(this.#inputs) });
  }

  receive(message: FromForm): void {
    switch (message.type) {
      case 'ready':
        return this.#draw();
      case 'changed':
        this.#inputs = message.inputs;
        return this.check();
      case 'submit':
        this.#inputs = message.inputs;
        return this.#submit();
      case 'submitAnyway':
        this.#inputs = message.inputs;
        this.#host.onSubmitAnyway?.(this.#inputs);
        return;
      case 'preview':
        return this.#host.onForm?.(message.form);
      case 'decline':
        return this.#host.onDecline?.();
      case 'cancel':
        return this.#host.onCancel?.();
      case 'stop':
        return this.#host.onStop?.();
      case 'copy':
        return this.#host.onCopy?.();
    }
  }

  #draw(): void {
    const { heading, message, submit, decline, schema } = this.#spec;
    this.#post({
      type: 'show',
      heading,
      message,
      fields: listFields(schema),
      inputs: this.#inputs,
      submit,
      ...(decline === undefined ? {} : { decline }),
    });
    this.check();
    this.#post(this.#state);
  }

  #submit(): void {
    const checked = this.#host.check(this.#inputs);
    const count = Object.keys(checked.faults).length;
    this.#post({ type: 'checked', ...checked });
    const words = count === 1 ? '1 field needs attention' : `${count} fields need attention`;
    if (count === 0) this.#host.onSubmit(this.#inputs);
    else this.show(this.#host.onSubmitAnyway ? 'held' : 'error', words);
  }
}

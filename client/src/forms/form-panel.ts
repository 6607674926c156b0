import { ViewColumn, type Disposable, type Uri } from 'vscode';
import { isFromForm, type FromForm, type ToForm } from '../../../wire/form-messages.ts';
import { openPanel, type Panel } from '../window/panel-host.ts';
import { FormSession, type FormHost, type FormSpec } from './form-session.ts';

/** A form in a panel of its own. */
export class FormPanel implements Disposable {
  readonly form: FormSession;
  readonly #panel: Panel<ToForm>;

  constructor(
    extension: Uri,
    title: string,
    spec: FormSpec,
    host: FormHost & {
      onClose(): void;
    },
  ) {
    const post = (message: ToForm): void => this.#panel.post(message);
    this.form = new FormSession(spec, { ...host, onCancel: () => this.dispose() }, post);
    this.#panel = openPanel<FromForm, ToForm>(
      extension,
      {
        viewType: 'parley.form',
        title,
        bundle: 'form',
        icon: 'parley',
        column: ViewColumn.Active,
        isMessage: isFromForm,
        onMessage: message => this.form.receive(message),
      },
      () => host.onClose(),
    );
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

import { workspace, type Memento, type Uri } from 'vscode';
import type { AicfDialect } from '../../../core/catalog/languages.ts';
import { asList } from '../../../core/text/fields.ts';
import { isDialectChoice, type DialectChoice } from '../../../wire/server-messages.ts';
import { Changing } from '../base/changing.ts';

const KEY = 'chosenDialects';
/** The maximum number of stored choices; the oldest are removed. */
const MAX_CHOICES = 200;

/** The dialects that the user chose for single files, stored in the workspace. */
export class DialectChoices extends Changing {
  readonly #state: Memento;

  constructor(state: Memento) {
    super();
    this.#state = state;
    this.own(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
  }

  /** All choices, the oldest first. */
  all(): readonly DialectChoice[] {
    return asList(this.#state.get<unknown>(KEY)).filter(isDialectChoice);
  }

  /** The chosen dialect of a file; undefined if it is detected. */
  find(uri: string): AicfDialect | undefined {
    return this.all().find(choice => choice.uri === uri)?.dialect;
  }

  /** Sets the dialect of a file; undefined detects it. */
  async set(uri: string, dialect: AicfDialect | undefined): Promise<void> {
    const others = this.all().filter(choice => choice.uri !== uri);
    const all = dialect === undefined ? others : [...others, { uri, dialect }];
    await this.#state.update(KEY, all.slice(-MAX_CHOICES));
    this.changed.fire();
  }

  /** The name of an unsaved file is reused, so its choice is removed. */
  #forget(uri: Uri): void {
    const key = uri.toString();
    // Not awaited: VS Code itself reports an error of its storage.
    if (uri.scheme === 'untitled' && this.find(key) !== undefined) void this.set(key, undefined);
  }
}

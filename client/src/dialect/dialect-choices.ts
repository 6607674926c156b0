import { EventEmitter, workspace, type Disposable, type Memento, type Uri } from 'vscode';
import type { AicfDialect } from '../../../core/catalog/aicf-dialects.ts';
import { asList } from '../../../core/text/fields.ts';
import { isDialectChoice, type DialectChoice } from '../../../wire/server-messages.ts';
import { DisposableStore } from '../dispose.ts';

const KEY = 'chosenDialects';
/** Of more files the oldest choices are forgotten. */
const MOST_CHOICES = 200;

/** The dialects that the user chose for single files, remembered in the workspace. */
export class DialectChoices implements Disposable {
  readonly #state: Memento;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(state: Memento) {
    this.#state = state;
    this.#store.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
  }

  /** All of them, the oldest first. */
  all(): readonly DialectChoice[] {
    return asList(this.#state.get<unknown>(KEY)).filter(isDialectChoice);
  }

  /** What was chosen for a file; undefined where it is read as what it looks like. */
  find(uri: string): AicfDialect | undefined {
    return this.all().find(choice => choice.uri === uri)?.dialect;
  }

  /** Chooses a dialect for a file, or leaves it to what the file looks like. */
  async set(uri: string, dialect: AicfDialect | undefined): Promise<void> {
    const others = this.all().filter(choice => choice.uri !== uri);
    const all = dialect === undefined ? others : [...others, { uri, dialect }];
    await this.#state.update(KEY, all.slice(-MOST_CHOICES));
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** A file that was never saved leaves its name to the next one. */
  #forget(uri: Uri): void {
    const key = uri.toString();
    // The state is kept by VS Code, which says itself where it fails.
    if (uri.scheme === 'untitled' && this.find(key) !== undefined) void this.set(key, undefined);
  }
}

import { window, type Memento, type SecretStorage } from 'vscode';
import { quote } from '../../../protocol/src/text/quote.ts';

/** Names of the kept secrets: the store itself does not list them. */
const NAMES_KEY = 'secretNames';

/** Values of `${secret:X}`: typed in once, kept in VS Code's secret storage, never in a file or setting. */
export class Secrets {
  readonly #storage: SecretStorage;
  readonly #state: Memento;
  readonly #asked = new Map<string, Promise<string | undefined>>();

  constructor(storage: SecretStorage, state: Memento) {
    this.#storage = storage;
    this.#state = state;
  }

  /** A secret's value; asks for it where none is kept. Undefined where the user typed nothing. */
  async get(name: string): Promise<string | undefined> {
    return (await this.#storage.get(keyOf(name))) ?? this.#askOnce(name);
  }

  /** Names of the kept secrets, in order. */
  names(): readonly string[] {
    const names = this.#state.get<unknown>(NAMES_KEY);
    return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
  }

  async forget(name: string): Promise<void> {
    await this.#storage.delete(keyOf(name));
    await this.#setNames(this.names().filter(kept => kept !== name));
  }

  /** Two requests may need a secret at once: one box, one answer. */
  #askOnce(name: string): Promise<string | undefined> {
    const asking = this.#asked.get(name) ?? this.#ask(name).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asking);
    return asking;
  }

  async #ask(name: string): Promise<string | undefined> {
    const value = await window.showInputBox({
      title: `Secret ${quote(name)}`,
      prompt:
        'An agent of agents.json needs it. It is kept in the secret storage of VS Code and not in a file.',
      password: true,
      ignoreFocusOut: true,
    });
    if (!value) return undefined;
    await this.#storage.store(keyOf(name), value);
    await this.#setNames([...new Set([...this.names(), name])].sort());
    return value;
  }

  async #setNames(names: readonly string[]): Promise<void> {
    await this.#state.update(NAMES_KEY, names);
  }
}

function keyOf(name: string): string {
  return `secret:${name}`;
}

import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { LanguageId } from '../../../core/catalog/languages.ts';

/** The agent that the user picked last, by language, stored in the workspace. */
export class PickedAgents implements Disposable {
  readonly #state: Memento;
  readonly #changed = new EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: Memento) {
    this.#state = state;
  }

  /** The name of the picked agent; undefined if there is none. It may be missing from the agents file. */
  get(language: LanguageId): string | undefined {
    const name = this.#state.get<unknown>(keyOf(language));
    return typeof name === 'string' ? name : undefined;
  }

  async set(language: LanguageId, name: string): Promise<void> {
    await this.#state.update(keyOf(language), name);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function keyOf(language: LanguageId): string {
  return `pickedAgent.${language}`;
}

import type { Memento } from 'vscode';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { Changing } from '../base/changing.ts';

/** The agent that the user picked last, by language, stored in the workspace. */
export class PickedAgents extends Changing {
  readonly #state: Memento;

  constructor(state: Memento) {
    super();
    this.#state = state;
  }

  /** The name of the picked agent; undefined if there is none. It may be missing from the agents file. */
  get(language: LanguageId): string | undefined {
    const name = this.#state.get<unknown>(keyOf(language));
    return typeof name === 'string' ? name : undefined;
  }

  async set(language: LanguageId, name: string): Promise<void> {
    await this.#state.update(keyOf(language), name);
    this.changed.fire();
  }
}

function keyOf(language: LanguageId): string {
  return `pickedAgent.${language}`;
}

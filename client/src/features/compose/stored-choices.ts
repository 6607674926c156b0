import type { Memento } from 'vscode';
import { isRecord, isString } from '../../../../core/guard.ts';
import { NO_SECRETS } from '../../../../core/secrets/redact.ts';
import { isComposerMode, type ComposerMode } from '../../../../wire/composer-messages.ts';
import { isTexts } from '../../../../wire/form-messages.ts';

/** The memento key of what is stored for this workspace. */
const KEY = 'composerDrafts';

/**
 * What the user chose and wrote, per workspace: the selected agent, the mode of each agent, and the message that is not
 * sent yet. Credentials in it are used in this window only, and are not stored.
 */
export class StoredChoices {
  readonly #state: Memento;
  readonly #modes = new Map<string, ComposerMode>();
  /** The name of the agent that was selected last; empty if there is none. */
  agent = '';
  /** The message that is not sent yet. */
  message = '';

  constructor(state: Memento) {
    this.#state = state;
    const stored = state.get<unknown>(KEY);
    if (!isRecord(stored)) return;
    const { agent, message, modes } = stored;
    if (isString(agent)) this.agent = agent;
    if (isString(message)) this.message = message;
    if (isTexts(modes))
      for (const [name, mode] of Object.entries(modes)) if (isComposerMode(mode)) this.#modes.set(name, mode);
  }

  /** The mode that was used last with an agent. */
  modeOf(agent: string): ComposerMode | undefined {
    return this.#modes.get(agent);
  }

  choose(agent: string, mode: ComposerMode | undefined): Promise<void> {
    this.agent = agent;
    if (mode) this.#modes.set(agent, mode);
    return this.#store();
  }

  write(message: string): Promise<void> {
    this.message = message;
    return this.#store();
  }

  async #store(): Promise<void> {
    const message = NO_SECRETS.redactText(this.message);
    await this.#state.update(KEY, { agent: this.agent, modes: Object.fromEntries(this.#modes), message });
  }
}

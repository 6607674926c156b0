import type { Memento } from 'vscode';
import { isRecord, isString } from '../../../../core/guard.ts';
import { isComposerMode, type ComposerMode, type Draft } from '../../../../wire/composer-messages.ts';
import { isTexts } from '../../../../wire/form-messages.ts';
import { toStored } from './draft-request.ts';

/** The memento key of the drafts of this workspace. */
const KEY = 'composerDrafts';

/**
 * What the user wrote and chose, per workspace: the selected agent, the mode of each agent, and one text for each mode and
 * protocol. Credentials in a text are used in this window only, and are not stored.
 */
export class StoredDrafts {
  readonly #state: Memento;
  readonly #modes = new Map<string, ComposerMode>();
  readonly #texts = new Map<string, { readonly mode: ComposerMode; readonly text: string }>();
  #agent = '';

  constructor(state: Memento) {
    this.#state = state;
    const stored = state.get<unknown>(KEY);
    if (!isRecord(stored)) return;
    if (isString(stored['agent'])) this.#agent = stored['agent'];
    const { modes, texts } = stored;
    if (isTexts(modes))
      for (const [agent, mode] of Object.entries(modes))
        if (isComposerMode(mode)) this.#modes.set(agent, mode);
    if (isTexts(texts))
      for (const [key, text] of Object.entries(texts)) {
        const mode: unknown = key.split(' ')[0];
        if (isComposerMode(mode)) this.#texts.set(key, { mode, text });
      }
  }

  /** The name of the agent that was selected last; empty if there is none. */
  get agent(): string {
    return this.#agent;
  }

  /** The mode that was used last with an agent. */
  modeOf(agent: string): ComposerMode | undefined {
    return this.#modes.get(agent);
  }

  textOf(protocol: string, mode: ComposerMode): string {
    return this.#texts.get(keyOf(protocol, mode))?.text ?? '';
  }

  choose(agent: string, mode: ComposerMode | undefined): Promise<void> {
    this.#agent = agent;
    if (mode) this.#modes.set(agent, mode);
    return this.#store();
  }

  write({ mode, text }: Draft, protocol: string): Promise<void> {
    this.#texts.set(keyOf(protocol, mode), { mode, text });
    return this.#store();
  }

  async #store(): Promise<void> {
    const texts = [...this.#texts].map(([key, { mode, text }]) => [key, toStored(mode, text)] as const);
    await this.#state.update(KEY, {
      agent: this.#agent,
      modes: Object.fromEntries(this.#modes),
      texts: Object.fromEntries(texts),
    });
  }
}

/** Texts in JSON are written for one protocol; others are the same for all. */
function keyOf(protocol: string, mode: ComposerMode): string {
  return mode === 'agent-json' ? `${mode} ${protocol}` : mode;
}

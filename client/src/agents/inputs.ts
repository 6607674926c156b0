import type { InputConfig } from '../../../agents/config/agent-config.ts';
import { askText } from '../sinks/quick-input.ts';

/** Values of `${input:X}`: asked for once a session and file, and kept in memory alone. */
export class Inputs {
  readonly #values = new Map<string, string>();
  readonly #asked = new Map<string, Promise<string | undefined>>();

  /** An input's value; undefined where the user left the box. */
  async get(file: string, input: InputConfig): Promise<string | undefined> {
    const key = JSON.stringify([file, input.id]);
    return this.#values.get(key) ?? this.#askOnce(key, input);
  }

  /** Two requests may need a value at once: one box, one answer. */
  #askOnce(key: string, input: InputConfig): Promise<string | undefined> {
    const asking = this.#asked.get(key) ?? this.#ask(key, input).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(key: string, input: InputConfig): Promise<string | undefined> {
    const value = await askText({
      title: input.description,
      prompt: 'An agent of agents.json needs this value. It is kept until the window closes.',
      password: input.isPassword,
      ignoreFocusOut: true,
    });
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }
}

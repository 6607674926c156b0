import type { InputConfig } from '../../../agents/config/agent-config.ts';
import { askText } from '../window/sinks/quick-input.ts';
import { SharedWork } from '../base/shared-work.ts';

/** Values of `${input:X}`, which are asked for once per session and file and stored only in memory. */
export class Inputs {
  readonly #values = new Map<string, string>();
  readonly #questions = new SharedWork<string | undefined>();

  /** The value of an input; undefined if the user cancels. */
  async get(file: string, input: InputConfig): Promise<string | undefined> {
    const key = JSON.stringify([file, input.id]);
    return this.#values.get(key) ?? this.#questions.run(key, () => this.#ask(key, input));
  }

  async #ask(key: string, input: InputConfig): Promise<string | undefined> {
    const value = await askText({
      title: input.description,
      prompt: 'An agent of agents.json needs this value. It is stored until the window closes.',
      password: input.isPassword,
      ignoreFocusOut: true,
    });
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }
}

import type { Memento } from 'vscode';
import { isTexts, type FormInputs } from '../../../wire/form-messages.ts';

/** The memento key of the form inputs in this workspace, by agent and tool. The oldest are removed first. */
const INPUTS_KEY = 'callFormInputs';
const MAX_RETAINED = 100;

/** The inputs of the last call of each tool, for its form. They hold no secrets. */
export class StoredCalls {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  find(agent: string, tool: string): FormInputs {
    const wanted = keyOf(agent, tool);
    return this.#list().find(([key]) => key === wanted)?.[1] ?? {};
  }

  async keep(agent: string, tool: string, inputs: FormInputs): Promise<void> {
    const own = keyOf(agent, tool);
    const others = this.#list().filter(([key]) => key !== own);
    await this.#state.update(INPUTS_KEY, [[own, inputs], ...others].slice(0, MAX_RETAINED));
  }

  #list(): readonly (readonly [string, FormInputs])[] {
    const list = this.#state.get<unknown>(INPUTS_KEY);
    return Array.isArray(list) ? list.filter(isStored) : [];
  }
}

function keyOf(agent: string, tool: string): string {
  return JSON.stringify([agent, tool]);
}

function isStored(value: unknown): value is readonly [string, FormInputs] {
  return Array.isArray(value) && typeof value[0] === 'string' && isTexts(value[1]);
}

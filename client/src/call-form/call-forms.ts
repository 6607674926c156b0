import type { Disposable, Memento, Uri } from 'vscode';
import { isTexts, type FormInputs } from '../../../wire/form-messages.ts';
import type { ToolInfo } from '../agent-service.ts';
import { CallForm, type SendCall } from './call-form.ts';

/** What stood in the forms of this workspace, by agent and tool; the oldest go first. */
const INPUTS_KEY = 'callFormInputs';
const MOST_KEPT = 100;

/** The open forms for calls, one a tool. What is sent from one stands in it the next time. */
export class CallForms implements Disposable {
  readonly #extension: Uri;
  readonly #state: Memento;
  readonly #open = new Map<string, CallForm>();

  constructor(extension: Uri, state: Memento) {
    this.#extension = extension;
    this.#state = state;
  }

  /** Opens the form of a tool, or shows the one that is open. */
  show(agent: string, tool: ToolInfo, send: SendCall): void {
    const key = JSON.stringify([agent, tool.name, tool.schema, tool.declaration]);
    const known = this.#open.get(key);
    if (known) {
      known.reveal();
      return;
    }
    const name = JSON.stringify([agent, tool.name]);
    const form = new CallForm(this.#extension, agent, tool, this.#find(name), {
      send,
      keep: inputs => void this.#keep(name, inputs),
      onClose: () => this.#open.delete(key),
    });
    this.#open.set(key, form);
  }

  dispose(): void {
    for (const form of [...this.#open.values()]) form.dispose();
  }

  #find(name: string): FormInputs {
    return this.#kept().find(([key]) => key === name)?.[1] ?? {};
  }

  #kept(): readonly (readonly [string, FormInputs])[] {
    const list = this.#state.get<unknown>(INPUTS_KEY);
    return Array.isArray(list) ? list.filter(isKept) : [];
  }

  async #keep(name: string, inputs: FormInputs): Promise<void> {
    const others = this.#kept().filter(([key]) => key !== name);
    await this.#state.update(INPUTS_KEY, [[name, inputs], ...others].slice(0, MOST_KEPT));
  }
}

function isKept(value: unknown): value is readonly [string, FormInputs] {
  return Array.isArray(value) && typeof value[0] === 'string' && isTexts(value[1]);
}

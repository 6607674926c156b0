import type { Disposable, Memento, Uri } from 'vscode';
import { isTexts, type FormInputs } from '../../../../wire/form-messages.ts';
import type { ToolInfo } from '../../services/agent-service.ts';
import { CallForm, type SendCall } from './call-form.ts';

/** The memento key of the form inputs in this workspace, by agent and tool. The oldest are removed first. */
const INPUTS_KEY = 'callFormInputs';
const MAX_RETAINED = 100;

/** The open call forms, one per tool. The inputs of a sent call are restored the next time. */
export class CallForms implements Disposable {
  readonly #extension: Uri;
  readonly #state: Memento;
  readonly #open = new Map<string, CallForm>();

  constructor(extension: Uri, state: Memento) {
    this.#extension = extension;
    this.#state = state;
  }

  /** Opens the form of a tool, or reveals it if it is open. */
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
    return this.#stored().find(([key]) => key === name)?.[1] ?? {};
  }

  #stored(): readonly (readonly [string, FormInputs])[] {
    const list = this.#state.get<unknown>(INPUTS_KEY);
    return Array.isArray(list) ? list.filter(isStored) : [];
  }

  async #keep(name: string, inputs: FormInputs): Promise<void> {
    const others = this.#stored().filter(([key]) => key !== name);
    await this.#state.update(INPUTS_KEY, [[name, inputs], ...others].slice(0, MAX_RETAINED));
  }
}

function isStored(value: unknown): value is readonly [string, FormInputs] {
  return Array.isArray(value) && typeof value[0] === 'string' && isTexts(value[1]);
}

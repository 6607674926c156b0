import type { Disposable, Uri } from 'vscode';
import { CallForm, type PreviewAgent, type SendCall } from '../../forms/call-form.ts';
import { FormPanel } from '../../forms/form-panel.ts';
import type { StoredCalls } from '../../forms/stored-calls.ts';
import type { ToolInfo } from '../../services/agent-service.ts';

/** The agent of a form. */
export interface FormAgent extends PreviewAgent {
  readonly name: string;
}

/** The open call forms, one per tool. The inputs of a sent call are restored the next time. */
export class CallForms implements Disposable {
  readonly #extension: Uri;
  readonly #stored: StoredCalls;
  readonly #open = new Map<string, FormPanel>();

  constructor(extension: Uri, stored: StoredCalls) {
    this.#extension = extension;
    this.#stored = stored;
  }

  /** Opens the form of a tool, or reveals it if it is open. */
  show({ name: agent, protocol, writeCurl }: FormAgent, tool: ToolInfo, send: SendCall): void {
    const { name } = tool;
    const key = JSON.stringify([agent, name, tool.schema, tool.declaration]);
    const known = this.#open.get(key);
    if (known) return known.reveal();
    const keep = (inputs: Parameters<StoredCalls['keep']>[2]): void =>
      void this.#stored.keep(agent, name, inputs);
    new CallForm(
      agent,
      tool,
      this.#stored.find(agent, name),
      { send, keep, preview: { protocol, writeCurl } },
      (spec, host) => {
        const onClose = (): void => void this.#open.delete(key);
        const panel = new FormPanel(this.#extension, `Call ${name}`, spec, { ...host, onClose });
        this.#open.set(key, panel);
        return panel.form;
      },
    );
  }

  dispose(): void {
    for (const form of [...this.#open.values()]) form.dispose();
  }
}

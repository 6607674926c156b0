import { env, type Disposable, type Uri } from 'vscode';
import type { LanguageId } from '../../../protocol/src/catalog/languages.ts';
import type { ToolTable } from '../../../protocol/src/language/tools.ts';
import { parseJson } from '../../../protocol/src/text/json.ts';
import { describeOutcome } from '../../../protocol/src/trace/words.ts';
import type { FormChecked, FormInputs } from '../../../protocol/src/wire/form-messages.ts';
import type { ToolInfo } from '../agent-service.ts';
import type { Sent } from '../run-call.ts';
import { FormPanel } from './form-panel.ts';
import { readInputs } from './read-inputs.ts';
import { schemaOf } from './schema.ts';
import { listDefaults } from './schema-fields.ts';
import { writeToolCall } from './tool-request.ts';

/** What a form for a call needs from outside. */
export interface CallFormHost {
  /** Sends a request in AICL, in which each type is kept. */
  send(wireText: string, stop: AbortController): Promise<Sent>;
  /** Keeps what stands in the form for the next time. */
  keep(inputs: FormInputs): void;
  onClose(): void;
}

/** A form for the call of a tool, made from its JSON Schema. It stays open, so that the call can be changed and sent again. */
export class CallForm implements Disposable {
  readonly #tool: ToolInfo;
  readonly #schema: unknown;
  readonly #table: ToolTable;
  readonly #host: CallFormHost;
  readonly #panel: FormPanel;
  #language: LanguageId = 'aicl';
  #running: AbortController | undefined;

  constructor(extension: Uri, agent: string, tool: ToolInfo, kept: FormInputs, host: CallFormHost) {
    this.#tool = tool;
    this.#host = host;
    this.#schema = findSchema(tool);
    this.#table = { isComplete: false, tools: new Map([[tool.name, tool.declaration]]) };
    const spec = {
      title: `Call ${tool.name}`,
      heading: `${tool.name} of ${agent}`,
      message: tool.description,
      schema: this.#schema,
      inputs: { ...listDefaults(this.#schema), ...kept },
      submit: 'Send',
    };
    this.#panel = new FormPanel(extension, spec, {
      check: inputs => this.#check(inputs),
      onSubmit: inputs => void this.#send(inputs),
      onStop: () => this.#running?.abort(),
      onCopy: () => void env.clipboard.writeText(this.#write(this.#panel.inputs)),
      onLanguage: language => {
        this.#language = language;
        this.#panel.check();
      },
      onClose: () => host.onClose(),
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #check(inputs: FormInputs): Omit<FormChecked, 'type'> {
    const filled = readInputs(this.#schema, inputs);
    const preview = { language: this.#language, text: this.#write(inputs) };
    return { faults: filled.ok ? {} : filled.faults, preview };
  }

  /** The call with the arguments that are well. */
  #write(inputs: FormInputs, language = this.#language): string {
    return writeToolCall(this.#tool.name, readInputs(this.#schema, inputs).json, language, this.#table);
  }

  async #send(inputs: FormInputs): Promise<void> {
    this.#host.keep(inputs);
    const stop = new AbortController();
    this.#running = stop;
    this.#panel.show('working', `Waiting for ${this.#tool.name}`);
    try {
      const { outcome } = await this.#host.send(this.#write(inputs, 'aicl'), stop);
      const { status, code, message } = outcome;
      const words = describeOutcome({ status, code, duration: undefined, wire: [] });
      const sentence = message === undefined ? words : `${words}: ${message}`;
      this.#panel.show(status === 'ok' ? 'ok' : 'error', sentence);
    } finally {
      this.#running = undefined;
    }
  }
}

/** The JSON Schema of a tool's arguments: its own, else one that its declaration comes to. */
function findSchema({ schema, declaration }: ToolInfo): unknown {
  const own = schema === undefined ? undefined : parseJson(schema);
  return own ?? (declaration ? schemaOf(declaration) : {});
}

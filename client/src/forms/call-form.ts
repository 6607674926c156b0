import { env } from 'vscode';
import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { parseJson } from '../../../core/text/json.ts';
import { describeOutcome } from '../../../trace/words.ts';
import type { FormChecked, FormInputs } from '../../../wire/form-messages.ts';
import type { ToolInfo } from '../services/agent-service.ts';
import { mayGoAnyway, type Held } from '../sending/held.ts';
import type { CallHost, Sent } from '../sending/run-call.ts';
import type { FormHost, FormSession, FormSpec } from './form-session.ts';
import { describeStep } from '../window/progress.ts';
import { fromStored, toStored } from './stored-inputs.ts';
import { readInputs } from './read-inputs.ts';
import { schemaOf } from './schema.ts';
import { listDefaults } from './schema-fields.ts';
import { listSecrets } from './secret-inputs.ts';
import { writeToolCall } from './tool-request.ts';

/** Sends the filled-in call: a request in AICL, which preserves all types, and the secret values in it. */
export type SendCall = (
  call: { readonly wireText: string; readonly secrets: readonly string[] },
  warningPolicy: 'hold' | 'send',
  host: CallHost,
) => Promise<Sent>;

/** The dependencies of a call form. */
export interface CallFormHost {
  readonly send: SendCall;
  /** True where the form also shows the request. */
  readonly showsRequest: boolean;
  /** Stores the inputs of the form for the next time. */
  keep(inputs: FormInputs): void;
}

/** A form to call a tool, built from its JSON Schema. It stays open, so that the call can be changed and sent again. */
export class CallForm {
  readonly #tool: ToolInfo;
  readonly #schema: unknown;
  readonly #table: ToolTable;
  readonly #host: CallFormHost;
  readonly #form: FormSession;
  #language: MessageLanguage = 'aicl';
  #running: AbortController | undefined;

  /** `open` opens the form in a page; `stored` are the inputs of the last call. */
  constructor(
    agent: string,
    tool: ToolInfo,
    stored: FormInputs,
    host: CallFormHost,
    open: (spec: FormSpec, host: FormHost) => FormSession,
  ) {
    this.#tool = tool;
    this.#host = host;
    this.#schema = findSchema(tool);
    this.#table = { isComplete: false, tools: new Map([[tool.name, tool.declaration]]) };
    const spec = {
      heading: `${tool.name} of ${agent}`,
      message: tool.description,
      schema: this.#schema,
      inputs: { ...listDefaults(this.#schema), ...fromStored(this.#schema, stored) },
      submit: 'Send',
    };
    this.#form = open(spec, {
      check: inputs => this.#check(inputs),
      onSubmit: inputs => void this.#send(inputs, 'hold'),
      onSubmitAnyway: inputs => void this.#send(inputs, 'send'),
      onStop: () => this.stop(),
      onCopy: () => void env.clipboard.writeText(this.#preview(this.#form.inputs)),
      onLanguage: language => {
        this.#language = language;
        this.#form.check();
      },
    });
  }

  /** Stops the running call. */
  stop(): void {
    this.#running?.abort();
  }

  #check(inputs: FormInputs): Omit<FormChecked, 'type'> {
    const filled = readInputs(this.#schema, inputs);
    const faults = filled.ok ? {} : filled.faults;
    if (!this.#host.showsRequest) return { faults };
    return { faults, preview: { language: this.#language, text: this.#preview(inputs) } };
  }

  /** The request as displayed, with secrets masked. */
  #preview(inputs: FormInputs): string {
    const { json } = readInputs(this.#schema, inputs, 'masked');
    return writeToolCall(this.#tool.name, json, this.#language, this.#table);
  }

  async #send(inputs: FormInputs, warningPolicy: 'hold' | 'send'): Promise<void> {
    if (this.#running) return;
    const filled = readInputs(this.#schema, inputs);
    if (!filled.ok && !filled.isCall) {
      this.#form.show('error', 'Arguments can only be sent as a JSON object');
      return;
    }
    this.#host.keep(toStored(this.#schema, inputs));
    const stop = (this.#running = new AbortController());
    this.#form.show('working', `Waiting for ${this.#tool.name}`);
    let held: Held | undefined;
    const host: CallHost = {
      stop,
      reply: 'beside',
      onHeld: reported => (held = reported),
      onStep: step => {
        const { words, share } = describeStep(step);
        this.#form.show('working', words, share);
      },
    };
    try {
      const wireText = writeToolCall(this.#tool.name, filled.json, 'aicl', this.#table);
      const secrets = listSecrets(this.#schema, inputs);
      const { outcome } = await this.#host.send({ wireText, secrets }, warningPolicy, host);
      if (held) this.#form.show(mayGoAnyway(held) ? 'held' : 'error', held.reason);
      else this.#showOutcome(outcome);
    } finally {
      this.#running = undefined;
    }
  }

  #showOutcome({ status, code, message }: Sent['outcome']): void {
    const words = describeOutcome({ status, code, duration: undefined });
    const sentence = message === undefined ? words : `${words}: ${message}`;
    this.#form.show(status === 'ok' ? 'ok' : 'error', sentence);
  }
}

/** The JSON Schema of a tool's arguments: its own, else one derived from its declaration. */
function findSchema({ schema, declaration }: ToolInfo): unknown {
  const own = schema === undefined ? undefined : parseJson(schema);
  return own ?? (declaration ? schemaOf(declaration) : {});
}

import { env } from 'vscode';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { parseJson } from '../../../core/text/json.ts';
import { describeOutcome } from '../../../trace/words.ts';
import {
  PREVIEW_WORDS,
  type FormChecked,
  type FormInputs,
  type PreviewForm,
} from '../../../wire/form-messages.ts';
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

/** What the preview of a request depends on. */
export interface PreviewAgent {
  readonly protocol: ProtocolName;
  /** The command that sends a request to the agent from a shell; undefined for an agent that is a process. */
  readonly writeCurl: (request: string) => Promise<string | undefined>;
}

/** The dependencies of a call form. */
export interface CallFormHost {
  readonly send: SendCall;
  /** The agent for which the form also shows the request; without it, the request is not shown. */
  readonly preview?: PreviewAgent | undefined;
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
  readonly #forms: readonly PreviewForm[];
  #chosen: PreviewForm;
  /** The last request for a shell; its text is undefined while it is being written. */
  #curl: { readonly request: string; readonly text: string | undefined } | undefined;
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
    this.#forms = host.preview ? listForms(host.preview.protocol) : [];
    this.#chosen = this.#forms[0] ?? 'json';
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
      onCopy: () =>
        void (host.preview && env.clipboard.writeText(this.#preview(this.#form.inputs, host.preview))),
      onForm: form => {
        this.#chosen = form;
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
    const agent = this.#host.preview;
    if (!agent) return { faults };
    const text = this.#preview(inputs, agent);
    return { faults, preview: { form: this.#chosen, forms: this.#forms, text } };
  }

  /** The request as displayed, with secrets masked. */
  #preview(inputs: FormInputs, agent: PreviewAgent): string {
    const { json } = readInputs(this.#schema, inputs, 'masked');
    const chosen = this.#chosen;
    const to = chosen === 'json' || chosen === 'curl' ? agent.protocol : chosen;
    const request = writeToolCall(this.#tool.name, json, to, this.#table);
    return chosen === 'curl' ? this.#writeCurl(request, agent) : request;
  }

  /** The request for a shell, which is shown once it is written. */
  #writeCurl(request: string, agent: PreviewAgent): string {
    if (this.#curl?.request !== request) {
      this.#curl = { request, text: undefined };
      void agent.writeCurl(request).then(text => {
        if (this.#curl?.request !== request) return;
        this.#curl = { request, text: text ?? 'The agent is a process, so no shell can send it a request.' };
        this.#form.check();
      });
    }
    return this.#curl.text ?? '';
  }

  async #send(inputs: FormInputs, warningPolicy: 'hold' | 'send'): Promise<void> {
    if (this.#running) return;
    const filled = readInputs(this.#schema, inputs);
    if (!filled.ok && !filled.isCall)
      return this.#form.show('error', 'Arguments can only be sent as a JSON object');
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

/** The forms of a request to an agent, its own first. */
function listForms(protocol: ProtocolName): readonly PreviewForm[] {
  const forms = [...PREVIEW_WORDS.keys()];
  const own = forms.find(form => form === protocol);
  return own ? [own, ...forms.filter(form => form !== own && form !== 'json')] : forms;
}

/** The JSON Schema of a tool's arguments: its own, else one derived from its declaration. */
function findSchema({ schema, declaration }: ToolInfo): unknown {
  const own = schema === undefined ? undefined : parseJson(schema);
  return own ?? (declaration ? schemaOf(declaration) : {});
}

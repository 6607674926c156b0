import type { FromForm } from '../../../../wire/form-messages.ts';
import type { ToComposer } from '../../../../wire/composer-messages.ts';
import { CallForm } from '../../forms/call-form.ts';
import { FormSession } from '../../forms/form-session.ts';
import { runCall, type CallHost, type Sent } from '../../sending/run-call.ts';
import type { AgentService, CallRequest, ToolInfo, WarningPolicy } from '../../services/agent-service.ts';
import type { Shared } from '../feature.ts';
import type { RequestRun } from './request-run.ts';

interface OpenForm {
  readonly form: FormSession;
  readonly call: CallForm;
}

/** The tools of agents, each with its form. Forms keep what was typed while another tool or agent is shown. */
export class Tools {
  readonly #services: Shared;
  readonly #agents: AgentService;
  readonly #post: (message: ToComposer) => void;
  readonly #begin: (agent: string, words: string) => RequestRun;
  readonly #forms = new Map<string, OpenForm>();
  /** The tool whose form is open, by agent. */
  readonly #open = new Map<string, string>();
  #shown = '';
  #loading = '';

  /** `begin` begins a request to an agent, and shows its reply. */
  constructor(
    services: Shared,
    agents: AgentService,
    post: (message: ToComposer) => void,
    begin: (agent: string, words: string) => RequestRun,
  ) {
    this.#services = services;
    this.#agents = agents;
    this.#post = post;
    this.#begin = begin;
  }

  /** Sends the tools of an agent to the page. The page asks for the form of the open one. */
  show(agent: string): void {
    this.#shown = agent;
    const { tools, problem } = this.#agents.capabilities(agent);
    const open = tools?.find(({ name }) => name === this.#open.get(agent))?.name ?? '';
    this.#post({
      type: 'tools',
      state: this.#loading === agent ? 'loading' : tools ? 'loaded' : 'unknown',
      tools: (tools ?? []).map(({ name, description }) => ({ name, description })),
      problem: problem ?? '',
      open,
    });
  }

  /** Connects to the shown agent and lists its tools. */
  async load(): Promise<void> {
    const agent = this.#shown;
    this.#loading = agent;
    this.show(agent);
    try {
      await this.#agents.connect(agent);
    } finally {
      this.#loading = '';
      this.show(this.#shown);
    }
  }

  /** Opens the form of a tool; an empty name closes it. */
  open(tool: string): void {
    this.#open.set(this.#shown, tool);
    this.show(this.#shown);
  }

  /** Passes a message of the page to the open form. */
  receive(message: FromForm): void {
    const name = this.#open.get(this.#shown) ?? '';
    const tool = this.#agents.capabilities(this.#shown).tools?.find(each => each.name === name);
    if (tool) this.#formOf(this.#shown, tool).form.receive(message);
  }

  stop(): void {
    for (const { call } of this.#forms.values()) call.stop();
  }

  #formOf(agent: string, tool: ToolInfo): OpenForm {
    const key = JSON.stringify([agent, tool.name, tool.schema, tool.declaration]);
    const known = this.#forms.get(key);
    if (known) return known;
    const { storedCalls } = this.#services;
    const host = {
      send: (call: Pick<CallRequest, 'wireText' | 'secrets'>, policy: WarningPolicy, form: CallHost) =>
        this.#send({ agent, title: tool.name, ...call, warningPolicy: policy, ...FORM_CALL }, form),
      keep: (inputs: Parameters<typeof storedCalls.keep>[2]) =>
        void storedCalls.keep(agent, tool.name, inputs),
    };
    let form: FormSession | undefined;
    const call = new CallForm(agent, tool, storedCalls.find(agent, tool.name), host, (spec, own) => {
      const isShown = (): boolean => this.#shown === agent && this.#open.get(agent) === tool.name;
      form = new FormSession(spec, own, message => isShown() && this.#post({ type: 'form', message }));
      return form;
    });
    if (!form) throw new Error('A call form opens its form at once');
    const opened = { form, call };
    this.#forms.set(key, opened);
    return opened;
  }

  /** The form shows the state of the call, and the view its reply. */
  async #send(request: CallRequest, form: CallHost): Promise<Sent> {
    const run = this.#begin(request.agent, `Waiting for ${request.title}`);
    const host: CallHost = {
      ...run.host,
      stop: form.stop,
      onHeld: held => {
        run.host.onHeld(held);
        form.onHeld(held);
      },
      onStep: step => form.onStep?.(step),
    };
    const again = (warningPolicy: WarningPolicy): unknown => this.#send({ ...request, warningPolicy }, form);
    const sent = await runCall(this.#services, this.#agents, request, { host, again });
    await run.finish(sent);
    return sent;
  }
}

const FORM_CALL = { language: 'aicl' } as const;

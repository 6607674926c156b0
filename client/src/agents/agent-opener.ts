import { connectAgent } from '../../../agents/all.ts';
import { readEnv, type Variables } from '../../../agents/config/variables.ts';
import { openAgent, type OpenedAgent, type OpenOptions } from '../../../agents/open-agent.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { CallOutcome } from '../services/agent-service.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import { receiverOf } from './agent-address.ts';
import type { AgentConsent } from './agent-consent.ts';
import type { AgentFiles, FoundAgent } from './agent-files.ts';
import type { Demo } from './demo.ts';
import type { Inputs } from './inputs.ts';
import type { Secrets } from './secrets.ts';

/** An opened agent with its location. */
export type FoundAndOpened = OpenedAgent & { readonly found: FoundAgent };

/** The outcome if the user cancels a question. It needs no message, because the user knows that nothing was sent. */
export const LEFT: CallOutcome = { status: 'cancelled', text: '', isProtocol: false };

export interface AgentOpenerOptions {
  readonly files: AgentFiles;
  readonly consent: AgentConsent;
  readonly demo: Demo;
  readonly inputs: Inputs;
  readonly secrets: Secrets;
}

/** Opens agents for the editor after checking trust, consent, variables and secrets, in this order. */
export class AgentOpener {
  readonly #options: AgentOpenerOptions;

  constructor(options: AgentOpenerOptions) {
    this.#options = options;
  }

  /** Opens an agent with the consent of the user. Returns an outcome if that fails. */
  async open(
    name: string,
    emit: (event: TraceEvent) => void,
    signal: AbortSignal,
    options: (found: FoundAgent) => Omit<OpenOptions, 'protocols' | 'connect'>,
  ): Promise<FoundAndOpened | CallOutcome> {
    // Checked here again, because all callers pass here before any network access.
    if (!maySend()) return fail(UNTRUSTED);
    const found = (await this.#options.files.read()).agents.get(name);
    if (!found)
      return fail(`The agent ${quote(name)} is no longer in the agents file. Send again to another one.`);
    const { config, file } = found;
    if (!(await this.#options.consent.get(file.fsPath, config))) return LEFT;
    if (signal.aborted) return LEFT;
    let hasLeft = false;
    const variables = this.variablesFor(found, () => (hasLeft = true));
    const opened = await openAgent(config, variables, emit, {
      protocols: ALL_PROTOCOLS,
      connect: connectAgent,
      ...options(found),
    });
    if (opened.ok) return { ...opened, found };
    return hasLeft ? LEFT : fail(`${opened.message}.`);
  }

  /** Resolves the variables of an agent. `left` is called if the user cancels a question about one. */
  variablesFor(found: FoundAgent, left: () => void): Variables {
    const { inputs, file, folder } = found;
    const { demo, secrets, inputs: known } = this.#options;
    const receiver = receiverOf(found);
    const heed = (value: string | undefined): string | undefined => {
      if (value === undefined) left();
      return value;
    };
    return {
      env: name => readEnv(process.env, name),
      workspaceFolder: () => folder?.uri.fsPath,
      demo: name => demo.find(name),
      input: async id => {
        const input = inputs.get(id);
        return input && heed(await known.get(file.toString(), input));
      },
      secret: async name => heed(await secrets.get(name, receiver)),
    };
  }
}

function fail(message: string): CallOutcome {
  return { status: 'error', text: '', message, isProtocol: false };
}

import { connectAgent } from '../../../agents/all.ts';
import { readEnv, type Variables } from '../../../agents/config/variables.ts';
import { openAgent, type OpenedAgent, type OpenOptions } from '../../../agents/open-agent.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { CallOutcome } from '../services/agent-service.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import { receiverOf } from './agent-address.ts';
import { DEMO_PROCESS } from '../../../agents/demo/start.ts';
import type { AgentConsent, ShowPaths } from './agent-consent.ts';
import { describeFile, type AgentFiles, type FoundAgent } from './agent-files.ts';
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
    if (!(await this.#options.consent.get(file.fsPath, config, this.#showPaths(found)))) return LEFT;
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

  /** Replaces the variables whose value is known without starting or asking anything. */
  #showPaths({ folder }: FoundAgent): ShowPaths {
    return text =>
      text
        .replaceAll('${workspaceFolder}', whole => folder?.uri.fsPath ?? whole)
        .replaceAll(`\${demo:${DEMO_PROCESS}}`, () => this.#options.demo.program);
  }

  /** Resolves the variables of an agent. `left` is called if the user cancels a question about one. */
  variablesFor(found: FoundAgent, left: () => void): Variables {
    const { config, inputs, file, folder } = found;
    const { demo, secrets, inputs: known } = this.#options;
    const receiver = receiverOf(found);
    const user = `the agent ${quote(config.name)} of ${describeFile(file)}`;
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
      secret: async name => heed(await secrets.get(name, receiver, user)),
    };
  }
}

function fail(message: string): CallOutcome {
  return { status: 'error', text: '', message, isProtocol: false };
}

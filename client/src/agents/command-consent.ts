import { window, type Memento } from 'vscode';
import type { StdioAgentConfig } from '../../../agents/src/config/agent-config.ts';
import { printCommandLine } from '../../../agents/src/stdio/command-line.ts';
import { quote } from '../../../protocol/src/text/quote.ts';

/** Which processes the user lets this workspace start, each as `describeProcess` writes it. */
const CONSENTS_KEY = 'commandConsents';

/** What the user is asked: a question and what would be started. */
export type AskConsent = (question: string, detail: string) => Promise<boolean>;

/**
 * The user's word on the processes of a workspace: each command line is shown and confirmed before it is started for
 * the first time, since any folder may bring an agents file along. What is remembered is all that the file says of the
 * process, as it says it: a change asks again.
 */
export class CommandConsent {
  readonly #state: Memento;
  readonly #ask: AskConsent;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(state: Memento, ask: AskConsent = askModally) {
    this.#state = state;
    this.#ask = ask;
  }

  /** True where the process of an agent may be started. `file` is the agents file that names it. */
  async get(file: string, agent: StdioAgentConfig): Promise<boolean> {
    const key = JSON.stringify([file, agent.command, agent.args, [...agent.env], agent.cwd ?? null]);
    return this.#given().includes(key) || this.#askOnce(key, agent, file);
  }

  /** Two requests may need a process at once: one question, one answer. */
  #askOnce(key: string, agent: StdioAgentConfig, file: string): Promise<boolean> {
    const asking =
      this.#asked.get(key) ?? this.#askAndKeep(key, agent, file).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #askAndKeep(key: string, agent: StdioAgentConfig, file: string): Promise<boolean> {
    const question = `Start this process for the agent ${quote(agent.name)}?`;
    if (!(await this.#ask(question, describeProcess(agent, file)))) return false;
    await this.#state.update(CONSENTS_KEY, [...new Set([...this.#given(), key])]);
    return true;
  }

  #given(): readonly string[] {
    const list = this.#state.get<unknown>(CONSENTS_KEY);
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [];
  }
}

/** All that decides what runs, as the file writes it: variables are not looked up before the user has agreed. */
function describeProcess({ command, args, env, cwd }: StdioAgentConfig, file: string): string {
  const lines = [
    printCommandLine(command, args),
    '',
    ...(cwd === undefined ? [] : [`Folder: ${printCommandLine(cwd, [])}`]),
    ...[...env].map(([name, value]) => `Environment: ${printCommandLine(`${name}=${value}`, [])}`),
    `It is named in ${file} and runs with your rights on this computer. Start it if you know what it does.`,
  ];
  return lines.join('\n');
}

const START = 'Start it';

async function askModally(question: string, detail: string): Promise<boolean> {
  return (await window.showWarningMessage(question, { modal: true, detail }, START)) === START;
}

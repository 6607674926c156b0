import { type Memento } from 'vscode';
import type { AgentConfig, HttpAgentConfig, StdioAgentConfig } from '../../../agents/config/agent-config.ts';
import { printCommandLine } from '../../../agents/stdio/command-line.ts';
import { quote } from '../../../core/text/quote.ts';
import { describeReceiver } from './secrets.ts';
import { askInDialog } from '../messages.ts';

/** What the user lets this workspace do, each with all that the question named. */
const CONSENTS_KEY = 'commandConsents';

/** What the user is asked before an agent is started, or gets what is only on this computer. */
interface Question {
  /** What is remembered of the answer. */
  readonly key: string;
  readonly text: string;
  readonly detail: string;
  readonly button: string;
}

/** Asks a question; true for its button. */
type AskConsent = (question: Question) => Promise<boolean>;

/**
 * The user's word on the agents of a workspace, since any folder may bring an agents file along: each command line is shown
 * and confirmed before it is started for the first time, and so is each variable of the environment before it goes to an
 * address for the first time. What is remembered is all that the question named, as the file says it: a change asks again.
 */
export class AgentConsent {
  readonly #state: Memento;
  readonly #ask: AskConsent;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(state: Memento, ask: AskConsent = askModally) {
    this.#state = state;
    this.#ask = ask;
  }

  /** True where an agent may be started or asked. `file` is the agents file that names it. */
  async get(file: string, agent: AgentConfig): Promise<boolean> {
    const question = agent.type === 'stdio' ? askStart(file, agent) : askEnvironment(file, agent);
    return !question || this.#given().includes(question.key) || this.#askOnce(question);
  }

  /** Two requests may need the same at once: one question, one answer. */
  #askOnce(question: Question): Promise<boolean> {
    const { key } = question;
    const asking = this.#asked.get(key) ?? this.#askAndKeep(question).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }

  async #askAndKeep(question: Question): Promise<boolean> {
    if (!(await this.#ask(question))) return false;
    await this.#state.update(CONSENTS_KEY, [...new Set([...this.#given(), question.key])]);
    return true;
  }

  #given(): readonly string[] {
    const list = this.#state.get<unknown>(CONSENTS_KEY);
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [];
  }
}

/** All that decides what runs, as the file writes it: variables are not looked up before the user has agreed. */
function askStart(file: string, { name, command, args, env, cwd }: StdioAgentConfig): Question {
  const lines = [
    printCommandLine(command, args),
    '',
    ...(cwd === undefined ? [] : [`Folder: ${printCommandLine(cwd, [])}`]),
    ...[...env].map(([variable, value]) => `Environment: ${printCommandLine(`${variable}=${value}`, [])}`),
    `It is named in ${file} and runs with your rights on this computer. Start it if you know what it does.`,
  ];
  return {
    key: JSON.stringify([file, command, args, [...env], cwd ?? null]),
    text: `Start this process for the agent ${quote(name)}?`,
    detail: lines.join('\n'),
    button: 'Start it',
  };
}

/** Undefined for an agent that gets no variable of the environment with each request. */
function askEnvironment(
  file: string,
  { name, url, headers, tls, oauth }: HttpAgentConfig,
): Question | undefined {
  const places = [
    ['the address', url],
    ...[...headers].map(([header, value]) => [`the header ${quote(header)}`, value]),
    ...Object.entries({ ...oauth }).map(([member, value]) => [`'oauth.${member}'`, String(value)]),
  ];
  const uses = places.flatMap(([place = '', text = '']) =>
    [...text.matchAll(/\$\{env:([^{}]*)\}/g)].map(([, variable = '']) => `${quote(variable)} in ${place}`),
  );
  if (uses.length === 0) return undefined;
  const receiver = describeReceiver(url, file, tls);
  const what = uses.length === 1 ? 'a variable' : 'variables';
  const them = uses.length === 1 ? 'it' : 'them';
  const lines = [
    ...uses,
    '',
    `The agent ${quote(name)} is named in ${file}. Your environment may hold passwords and tokens. Send ${them} if you know that address.`,
  ];
  return {
    key: JSON.stringify([file, receiver, [...new Set(uses)].sort()]),
    text: `Send ${what} of your environment to ${receiver}?`,
    detail: lines.join('\n'),
    button: `Send ${them}`,
  };
}

async function askModally({ text, detail, button }: Question): Promise<boolean> {
  return (await askInDialog(text, detail, button)) === button;
}
